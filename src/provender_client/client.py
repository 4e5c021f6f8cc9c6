"""The two clients: one blocks, the other is awaited.

    with Client() as client:
        for food in client.foods.search("banana"):
            print(food.food_name, food.energy_kcal)

    async with AsyncClient() as client:
        async for food in client.foods.search("banana"):
            print(food.food_name, food.energy_kcal)

They have the same nouns with the same methods, which are declared once, in `resources/`.
"""

from __future__ import annotations

import os
import platform
from copy import copy
from dataclasses import replace
from typing import Any, Generic, Self

import httpx

from provender_client.drivers import AsyncDriver, SyncDriver
from provender_client.endpoints import D
from provender_client.errors import ProvenderError
from provender_client.resources.custom_foods import CustomFoods
from provender_client.resources.diary import Diary
from provender_client.resources.eaten import Eaten
from provender_client.resources.favorites import Favorites
from provender_client.resources.foods import Foods
from provender_client.resources.operating import Keys, Nutrients, TheCatalogue, UsageFigures
from provender_client.resources.profiles import Profiles
from provender_client.resources.saved_meals import SavedMeals
from provender_client.version import __version__

DEFAULT_URL = "http://127.0.0.1:8000"
# An answer takes milliseconds, and more only where a server is in trouble; a connection is there at once or not at all.
DEFAULT_TIMEOUT = httpx.Timeout(30.0, connect=5.0)
# What an httpx client has that was made without one; nobody has chosen it.
_TIMEOUT_OF_HTTPX = httpx.Timeout(5.0)
# The waits between five tries are four to eight seconds, in which a single server has been started again.
DEFAULT_MAX_RETRIES = 4


class Resources(Generic[D]):
    """What a client can do, whichever of the two it is."""

    def __init__(self, driver: D, *, owns_http: bool) -> None:
        self._driver = driver
        self._owns_http = owns_http
        self.foods: Foods[D] = Foods(driver)
        self.custom_foods: CustomFoods[D] = CustomFoods(driver)
        self.favorites: Favorites[D] = Favorites(driver)
        self.eaten: Eaten[D] = Eaten(driver)
        self.diary: Diary[D] = Diary(driver)
        self.saved_meals: SavedMeals[D] = SavedMeals(driver)
        self.profiles: Profiles[D] = Profiles(driver)
        self.nutrients: Nutrients[D] = Nutrients(driver)
        self.catalogue: TheCatalogue[D] = TheCatalogue(driver)
        self.keys: Keys[D] = Keys(driver)
        self.usage: UsageFigures[D] = UsageFigures(driver)

    def with_options(self, *, timeout: float | httpx.Timeout | None = None, max_retries: int | None = None) -> Self:
        """The same client, with the same connections, and more or less patience."""
        driver = replace(
            self._driver,
            timeout=self._driver.timeout if timeout is None else httpx.Timeout(timeout),
            max_retries=self._driver.max_retries if max_retries is None else max_retries,
        )
        changed = copy(self)
        Resources.__init__(changed, driver, owns_http=False)
        return changed

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._driver.base_url!r})"


class Client(Resources[SyncDriver]):
    """Provender from code that blocks. One client may be used by many threads.

    The key and the address are taken from PROVENDER_API_KEY and PROVENDER_URL where they are not given. `timeout` is
    in seconds, for each step of a request. `max_retries` is how often a request is sent again where that can help. An
    `http_client` brings connections, proxies, certificates and timeouts of your own, and is yours to close. A client is
    not to be carried over a fork: make one in each process.
    """

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float | httpx.Timeout = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx.Client | None = None,
    ) -> None:
        options = _options(api_key, base_url, _timeout(timeout, http_client), max_retries)
        driver = SyncDriver(http=http_client or httpx.Client(), **options)
        super().__init__(driver, owns_http=http_client is None)

    def close(self) -> None:
        """Close the connections that the client has opened itself."""
        if self._owns_http:
            self._driver.http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(Resources[AsyncDriver]):
    """Provender from code that awaits. All else is as with `Client`."""

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float | httpx.Timeout = DEFAULT_TIMEOUT,
        max_retries: int = DEFAULT_MAX_RETRIES,
        http_client: httpx.AsyncClient | None = None,
    ) -> None:
        options = _options(api_key, base_url, _timeout(timeout, http_client), max_retries)
        driver = AsyncDriver(http=http_client or httpx.AsyncClient(), **options)
        super().__init__(driver, owns_http=http_client is None)

    async def close(self) -> None:
        """Close the connections that the client has opened itself."""
        if self._owns_http:
            await self._driver.http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()


def _options(api_key: str | None, base_url: str | None, timeout: httpx.Timeout, max_retries: int) -> dict[str, Any]:
    """What both drivers need, completed from the environment."""
    key = api_key or os.environ.get("PROVENDER_API_KEY")
    if not key:
        raise ProvenderError("There is no API key: give one to the client, or set PROVENDER_API_KEY.")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ProvenderError("This is no API key: it has a blank, a line break or another character that no key has.")
    return {
        "api_key": key,
        "base_url": _address(base_url or os.environ.get("PROVENDER_URL") or DEFAULT_URL),
        "timeout": timeout,
        "max_retries": max_retries,
        "user_agent": f"provender-client/{__version__} python/{platform.python_version()} httpx/{httpx.__version__}",
    }


def _address(base_url: str) -> str:
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise ProvenderError(f"base_url is no address: {error}") from None
    if url.scheme not in ("http", "https") or not url.host:
        raise ProvenderError(f"base_url is {base_url!r}; it must be an address such as https://food.example.")
    # They would be sent in the place of the key, and be in the messages of errors.
    if url.userinfo:
        raise ProvenderError("base_url has a name or a password, for which there is no place: the key says who asks.")
    if url.path.rstrip("/").endswith("/v1"):
        raise ProvenderError(f"base_url is {base_url!r}; leave out the /v1, which the client adds by itself.")
    return base_url.rstrip("/")


def _timeout(given: float | httpx.Timeout, http_client: httpx.Client | httpx.AsyncClient | None) -> httpx.Timeout:
    """The given one, or that of an `http_client` which has one of its own."""
    if given is DEFAULT_TIMEOUT and http_client is not None and http_client.timeout != _TIMEOUT_OF_HTTPX:
        return http_client.timeout
    return httpx.Timeout(given)
