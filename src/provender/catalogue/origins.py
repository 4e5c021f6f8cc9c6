"""Where a food of the catalogue is from: what its source calls it, who publishes that, and under which licence."""

from typing import Final, NamedTuple

# The names that SPDX has for them. What USDA publishes is in the public domain, and FoodData Central says so with CC0.
_CC0: Final = "CC0-1.0"
_ODBL: Final = "ODbL-1.0"


class Publication(NamedTuple):
    name: str
    license: str


PUBLICATIONS = {
    "sr28": Publication("USDA National Nutrient Database for Standard Reference, Release 28", _CC0),
    "sr_legacy": Publication("USDA FoodData Central, SR Legacy", _CC0),
    "foundation": Publication("USDA FoodData Central, Foundation Foods", _CC0),
    "fndds": Publication("USDA Food and Nutrient Database for Dietary Studies (FNDDS)", _CC0),
    "usda_branded": Publication("USDA FoodData Central, Branded Foods", _CC0),
    "off": Publication("Open Food Facts", _ODBL),
}

# FoodData Central has addresses by `fdc_id` alone, which changes with every release and is not kept.
_PAGES = {"off": "https://world.openfoodfacts.org/product/{key}"}


class Origin(NamedTuple):
    """Where the record that answers for a food is from."""

    source: str
    source_key: str
    dataset: str
    imported_at: int
    created_at: int
    is_listed: bool
    # Nutrients that the source does not have and that were worked out from others.
    calculated: list[str]

    @property
    def source_name(self) -> str:
        """Who publishes it; an operator's own table has no other name than its source."""
        published = PUBLICATIONS.get(self.dataset)
        return self.source if published is None else published.name

    @property
    def license(self) -> str | None:
        published = PUBLICATIONS.get(self.dataset)
        return None if published is None else published.license

    @property
    def url(self) -> str | None:
        """The source's own page of the food, where its address lasts as long as the key."""
        page = _PAGES.get(self.dataset)
        return None if page is None else page.format(key=self.source_key)
