"""Its endpoints: plain functions with a session each, which FastAPI runs in threads, as its own tutorial has it.

SELFMADE_DB=selfmade.db uvicorn benchmarks.selfmade.app:app
"""

import hashlib
import os
import time
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from datetime import date as day
from typing import Annotated, Any, TypeVar

from fastapi import Depends, FastAPI, Header, HTTPException, Query
from sqlalchemy import Select, create_engine, desc, event, func, select, text
from sqlalchemy.orm import Session, sessionmaker

from benchmarks.selfmade.answers import (
    Created,
    FoodAnswer,
    FoodPage,
    FoodPageWithVitamins,
    LogPage,
    NewLog,
    answer_food,
    answer_log,
    answer_with_vitamins,
)
from benchmarks.selfmade.tables import ApiKey, DiaryLog, Favorite, Food, Profile

# As many connections as FastAPI has threads, so that none waits for one.
engine = create_engine(
    f"sqlite:///{os.environ['SELFMADE_DB']}", pool_size=40, connect_args={"check_same_thread": False, "timeout": 30}
)
new_session = sessionmaker(engine, expire_on_commit=False)


@event.listens_for(engine, "connect")
def set_up_connection(connection: Any, _record: Any) -> None:
    # Durable, as Provender is: a log that is answered survives a power failure.
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "mmap_size = 1073741824", "cache_size = -16000"):
        connection.execute(f"PRAGMA {pragma}")


async def get_session() -> AsyncIterator[Session]:
    # To make a session and to close one takes no time, so it needs no thread: two switches less for each request.
    with new_session() as session:
        yield session


Kind = TypeVar("Kind")
SessionOfRequest = Annotated[Session, Depends(get_session)]


def check_key(session: SessionOfRequest, authorization: Annotated[str, Header()] = "") -> None:
    key = authorization.removeprefix("Bearer ")
    hashed = hashlib.sha256(key.encode()).hexdigest()
    if session.scalar(select(ApiKey.name).where(ApiKey.hash == hashed)) is None:
        raise HTTPException(401, "There is no such key.")


app = FastAPI(title="Foods", dependencies=[Depends(check_key)])

Size = Annotated[int, Query(ge=1, le=100)]
PageNumber = Annotated[int, Query(ge=1)]

_SEARCH = text("""
    SELECT rowid FROM foods_fts WHERE foods_fts MATCH :query
    ORDER BY bm25(foods_fts, 10.0, 5.0) LIMIT :limit OFFSET :offset
""")


@app.get("/foods/search")
def search_foods(
    session: SessionOfRequest, query: Annotated[str, Query(max_length=500)], page: PageNumber = 1, size: Size = 10
) -> FoodPage:
    words = " ".join(f'"{word}"' for word in query.replace('"', " ").split())
    found = session.scalars(_SEARCH, {"query": words, "limit": size + 1, "offset": (page - 1) * size}).all()
    foods = {food.number: food for food in session.scalars(select(Food).where(Food.number.in_(found[:size])))}
    return FoodPage(has_more=len(found) > size, data=[answer_food(foods[number]) for number in found[:size]])


@app.get("/foods/barcode/{barcode}")
def retrieve_by_barcode(session: SessionOfRequest, barcode: str) -> FoodAnswer:
    return answer_food(_found(session.scalars(select(Food).where(Food.barcode == barcode).limit(1)).first()))


@app.get("/foods/{food_id}")
def retrieve_food(session: SessionOfRequest, food_id: str) -> FoodAnswer:
    return answer_food(_found(session.scalars(select(Food).where(Food.id == food_id)).first()))


@app.get("/profiles/{reference_id}/favorites")
def list_favorites(session: SessionOfRequest, reference_id: str, size: Size = 10) -> FoodPageWithVitamins:
    profile = _find_profile(session, reference_id)
    chosen = select(Food).join(Favorite, Favorite.food_number == Food.number).where(Favorite.profile_id == profile.id)
    return _page(session, chosen.order_by(Favorite.place.desc()), size)


@app.get("/profiles/{reference_id}/recently-eaten")
def list_recently_eaten(session: SessionOfRequest, reference_id: str, size: Size = 10) -> FoodPageWithVitamins:
    profile = _find_profile(session, reference_id)
    last = func.max(DiaryLog.id).label("last")
    eaten = select(DiaryLog.food_number, last).where(DiaryLog.profile_id == profile.id).group_by(DiaryLog.food_number)
    page = eaten.order_by(desc("last")).limit(size + 1).subquery()
    return _page(session, select(Food).join(page, page.c.food_number == Food.number).order_by(page.c.last.desc()), size)


@app.get("/profiles/{reference_id}/most-eaten")
def list_most_eaten(session: SessionOfRequest, reference_id: str, size: Size = 10) -> FoodPageWithVitamins:
    profile = _find_profile(session, reference_id)
    count, last = func.count().label("count"), func.max(DiaryLog.id).label("last")
    today = datetime.now(UTC).date()
    eaten = (
        select(DiaryLog.food_number, count, last)
        .where(DiaryLog.profile_id == profile.id, DiaryLog.date.between(today - timedelta(days=29), today))
        .group_by(DiaryLog.food_number)
    )
    page = eaten.order_by(desc("count"), desc("last")).limit(size + 1).subquery()
    foods = select(Food).join(page, page.c.food_number == Food.number)
    return _page(session, foods.order_by(page.c["count"].desc(), page.c.last.desc()), size)


@app.get("/profiles/{reference_id}/diary")
def list_day(session: SessionOfRequest, reference_id: str, date: day, size: Size = 10) -> LogPage:
    profile = _find_profile(session, reference_id)
    logs = select(DiaryLog).where(DiaryLog.profile_id == profile.id, DiaryLog.date == date).order_by(DiaryLog.id)
    found: Sequence[DiaryLog] = session.scalars(logs.limit(size + 1)).all()
    return LogPage(has_more=len(found) > size, data=[answer_log(log) for log in found[:size]])


@app.post("/profiles/{reference_id}/diary", status_code=201)
def log_food(session: SessionOfRequest, reference_id: str, new: NewLog) -> Created:
    profile = _find_profile(session, reference_id)
    food = _found(session.scalars(select(Food).where(Food.id == new.food_id)).first())
    log = DiaryLog(
        profile_id=profile.id,
        food_number=food.number,
        date=new.date or datetime.now(UTC).date(),
        meal=new.meal,
        number_of_servings=new.number_of_servings,
        created_at=int(time.time() * 1000),
    )
    session.add(log)
    session.commit()
    return Created(id=log.id)


def _page(session: Session, foods: Select[tuple[Food]], size: int) -> FoodPageWithVitamins:
    found = session.scalars(foods.limit(size + 1)).all()
    return FoodPageWithVitamins(has_more=len(found) > size, data=[answer_with_vitamins(food) for food in found[:size]])


def _find_profile(session: Session, reference_id: str) -> Profile:
    return _found(session.scalars(select(Profile).where(Profile.reference_id == reference_id)).first())


def _found(thing: Kind | None) -> Kind:
    if thing is None:
        raise HTTPException(404, "There is no such thing.")
    return thing
