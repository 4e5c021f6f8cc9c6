"""`provender demo`: three made-up people and a month of their meals, to have something to look at."""

import os

import click

from provender.cli.addresses import url_of
from provender.cli.completion import complete_application
from provender.cli.options import on_storage, stoppable, storage_options
from provender.cli.output import json_option, number, print_document, print_table
from provender.cli.progress import show_tally
from provender.cli.shipped import ensure_catalogue
from provender.model.access import Scope
from provender.model.times import utc_now
from provender.services.access import check_application_name, create_key
from provender.services.catalogue import CurrentCatalogue
from provender.services.demo.filling import Filled, FilledProfile, fill_application
from provender.settings import Settings
from provender.storage.access import list_keys
from provender.storage.engine import Engine

_MOST_DAYS = 366


@click.command()
@click.option(
    "--application",
    default="demo",
    show_default=True,
    metavar="NAME",
    shell_complete=complete_application,
    help="Which application; made if it is missing.",
)
@click.option(
    "--days",
    type=click.IntRange(1, _MOST_DAYS),
    default=30,
    show_default=True,
    metavar="N",
    help="How many days they have logged, up to today.",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Another number is other meals.")
@click.option("--replace", is_flag=True, help="Delete alice, bob and carol first, with everything they have.")
@click.option("--key", "with_key", is_flag=True, help="Make an API key also if the application has one.")
@json_option
@storage_options
def demo(
    application: str, days: int, seed: int, replace: bool, with_key: bool, as_json: bool, **options: str | None
) -> None:
    """Fill an application with three made-up profiles and a month of their meals.

    alice is an athlete, bob a vegetarian who eats seldom, carol has irregular days and lives far from UTC. They have
    diaries, favorites, saved meals and foods of their own. The same seed makes the same meals on the same day.
    """
    settings = Settings.load(os.environ, **options)
    check_application_name(application)

    written = [0, 0]

    def watch(done: int, steps: int) -> None:
        written[:] = done, steps

    async def work(engine: Engine) -> tuple[Filled, str | None]:
        now = utc_now()
        current = CurrentCatalogue(settings.data_dir)
        try:
            filled = await fill_application(
                engine, current, application, days=days, seed=seed, replace=replace, now=now, watch=watch
            )
        finally:
            current.close()
        keys = [key for key in await list_keys(engine) if key.application_name == application and key.works(now)]
        key = await create_key(engine, application, Scope.ADMIN, now) if with_key or not keys else None
        return filled, key

    with stoppable("`provender demo --replace` begins anew."):
        ensure_catalogue(settings, quiet=as_json)
        with show_tally(lambda: f"{written[0]} of {written[1]} steps written"):
            filled, key = on_storage(settings, work, create=True)
    if as_json:
        print_document(_document(application, filled, key))
    else:
        _print(application, filled, key, url_of(settings.host, settings.port))


def _document(application: str, filled: Filled, key: str | None) -> dict[str, object]:
    return {
        "application": application,
        "profiles": [_profile(each) for each in filled.profiles],
        "foods_left_out": filled.missing,
        "key": key,
    }


def _profile(filled: FilledProfile) -> dict[str, object]:
    return {
        "reference_id": filled.life.reference_id,
        "timezone": filled.life.timezone,
        "about": filled.life.about,
        "days": len(filled.days),
        "logs": filled.logs,
        "custom_foods": len(filled.custom_foods),
        "favorites": filled.favorites,
        "saved_meals": len(filled.saved_meals),
    }


def _print(application: str, filled: Filled, key: str | None, url: str) -> None:
    rows = [
        (
            each.life.reference_id,
            each.life.about,
            each.life.timezone,
            number(len(each.days)),
            number(each.logs),
            number(each.favorites),
            number(len(each.saved_meals)),
            number(len(each.custom_foods)),
        )
        for each in filled.profiles
    ]
    print_table(("PROFILE", "WHO", "TIME ZONE", "DAYS", "LOGS", "FAVORITES", "SAVED MEALS", "OWN FOODS"), rows)
    if filled.missing:
        click.echo(f"\nLeft out, since the catalogue in use does not have them: {', '.join(filled.missing)}.")
    shown = "KEY" if key is None else key
    if key is not None:
        click.echo(f"\nAn API key for the application `{application}`. It is shown this once:\n\n    {key}")
    asked = f"/v1/diary-logs/summary?profile_reference_id=alice&date={max(filled.profiles[0].days)}"
    click.echo(
        f"\nWhile `provender serve` runs, sign in at {url}/ with a key of `{application}`, or ask:\n\n"
        f"    curl '{url}{asked}' -H 'Authorization: Bearer {shown}'"
    )
