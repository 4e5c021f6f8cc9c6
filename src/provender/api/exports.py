"""The endpoints that export a profile and import it again."""

from dataclasses import dataclass
from typing import Annotated

from provender.api import render, render_export
from provender.api.answers import Answer, Stream
from provender.api.kinds import REFERENCE_ID
from provender.api.parameters import NoParameters
from provender.api.profile_judge import SentProfile
from provender.api.profiles import named
from provender.api.render import ProfileAnswer
from provender.api.render_export import ExportAnswer
from provender.api.routing import Call, Route
from provender.api.sent_profile import SentProfile as SentDocument
from provender.model.access import Scope
from provender.model.errors import InvalidBarcode, ProfileNotFound, ReferenceIdTaken
from provender.model.profiles import Profile
from provender.services.exports import begin_export
from provender.services.profile_imports import import_profile as write_profile


@dataclass(frozen=True, kw_only=True)
class ImportParameters:
    reference_id: Annotated[str | None, REFERENCE_ID, "Another `reference_id` than that of the document."] = None


async def export_profile(call: Call[NoParameters]) -> Stream:
    return render_export.export(await begin_export(call.store, named(call)), call.now)


async def import_profile(call: Call[ImportParameters]) -> Answer:
    if call.spool is None:
        raise RuntimeError("The route of this handler has a document.")
    sent = SentProfile(call.spool, call.parameters.reference_id, call.now)
    await sent.judge()

    def answer(profile: Profile) -> Answer:
        return render.profile(profile, call.now, status=201)

    last_store = call.store_once([sent.reference_id], answer)
    try:
        return answer(await write_profile(call.store, last_store, sent, call.services.clock))
    except BaseException:
        # What was written of it goes now, not when the cleaner looks by itself.
        call.services.cleaner.wake()
        raise


ROUTES = (
    Route(
        method="GET",
        path="/v1/profiles/{reference_id}/export",
        handler=export_profile,
        summary="Export a profile",
        description="One JSON document with everything the profile has, sent while it is read. If something fails "
        "meanwhile, or the profile is deleted, the connection ends before the document does.",
        tag="Profiles",
        scope=Scope.READ,
        answers={200: ExportAnswer},
        errors=(ProfileNotFound,),
    ),
    Route(
        method="POST",
        path="/v1/profiles/import",
        handler=import_profile,
        summary="Import a profile",
        description="The body is a document that an export has given. All of it is there when this is answered, or "
        "nothing. It gets new ids; times and orders stay. The body may be larger than 1 MiB.",
        tag="Profiles",
        scope=Scope.WRITE,
        parameters=ImportParameters,
        document=SentDocument,
        answers={201: ProfileAnswer},
        errors=(InvalidBarcode, ReferenceIdTaken),
    ),
)
