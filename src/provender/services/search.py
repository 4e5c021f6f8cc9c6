"""Search: the foods of the catalogue that answer a query, and before them a profile's own."""

from provender.model.foods import FoodType
from provender.model.paging import Page, PageRequest
from provender.services.catalogue import CurrentCatalogue
from provender.services.profiles import get_profile
from provender.storage.custom_foods import list_matching
from provender.storage.matching import Term
from provender.storage.store import Store


async def search_foods(
    current: CurrentCatalogue,
    store: Store,
    query: str,
    request: PageRequest,
    *,
    include: frozenset[str],
    food_type: FoodType | None = None,
    reference_id: str | None = None,
) -> Page[bytes]:
    """A page of the foods that answer the query. Those that the profile has made for itself come first."""

    def among_all(part: PageRequest) -> Page[bytes]:
        # The version in use is asked for each time: whoever waited for the storage may find that it has changed.
        return current.get().search(query, part, include, food_type)

    if reference_id is None:
        return among_all(request)
    terms = [Term(alternatives, prefix) for alternatives, prefix in current.get().read_terms(query)]

    async def among_own(part: PageRequest) -> Page[bytes]:
        page = await list_matching(store, reference_id, terms, part, food_type=food_type)
        return page.map(lambda food: food.body(include))

    if not terms or (request.cursor is not None and current.get().has(request.cursor)):
        await get_profile(store, reference_id)
        page = among_all(request)
        if not terms:
            return page
        if page.has_more or not request.backwards:
            return page
        return _fill(page, await among_own(_rest(request, page)), request)
    page = await among_own(request)
    if page.has_more or request.backwards:
        return page
    return _fill(page, among_all(_rest(request, page)), request)


def _rest(request: PageRequest, page: Page[bytes]) -> PageRequest:
    """What is still to be read of the other list, from its end nearest to this one: at least one, to know of it."""
    return PageRequest(max(request.limit - len(page.items), 1), None, request.backwards)


def _fill(page: Page[bytes], others: Page[bytes], request: PageRequest) -> Page[bytes]:
    """The page filled up from the other list; a page that was full already learns whether there is more."""
    if len(page.items) == request.limit:
        return Page(page.items, has_more=bool(others.items))
    items = [*others.items, *page.items] if request.backwards else [*page.items, *others.items]
    return Page(items, others.has_more)
