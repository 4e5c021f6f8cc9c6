"""Its tables. `schema.sql` has the same in SQL, with the full-text index that an ORM cannot write."""

from datetime import date as day
from typing import Any

from sqlalchemy import JSON, ForeignKey, Index
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Table(DeclarativeBase):
    pass


class ApiKey(Table):
    __tablename__ = "api_keys"

    hash: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]


class Food(Table):
    __tablename__ = "foods"

    number: Mapped[int] = mapped_column(primary_key=True)
    id: Mapped[str] = mapped_column(unique=True)
    food_name: Mapped[str]
    food_type: Mapped[str]
    brand_name: Mapped[str | None]
    barcode: Mapped[str | None] = mapped_column(index=True)
    serving_description: Mapped[str]
    metric_serving_amount: Mapped[int]
    metric_serving_unit: Mapped[str]
    energy_kcal: Mapped[float | None]
    total_fat_in_gm: Mapped[float | None]
    total_carbohydrates_in_gm: Mapped[float | None]
    total_protein_in_gm: Mapped[float | None]
    alcohol_in_gm: Mapped[float | None]
    caffeine_in_mg: Mapped[float | None]
    theobromine_in_mg: Mapped[float | None]
    water_in_gm: Mapped[float | None]
    vitamins: Mapped[dict[str, Any]] = mapped_column(JSON)
    created_at: Mapped[int]
    updated_at: Mapped[int]

    @property
    def macro_nutrients(self) -> "Food":
        """The answer has them in an object of their own, read from the same row."""
        return self


class Profile(Table):
    __tablename__ = "profiles"

    id: Mapped[int] = mapped_column(primary_key=True)
    reference_id: Mapped[str] = mapped_column(unique=True)


class Favorite(Table):
    __tablename__ = "favorites"
    __table_args__ = (Index("favorites_in_order", "profile_id", "place"),)

    profile_id: Mapped[int] = mapped_column(ForeignKey("profiles.id"), primary_key=True)
    food_number: Mapped[int] = mapped_column(ForeignKey("foods.number"), primary_key=True)
    place: Mapped[int]


class DiaryLog(Table):
    __tablename__ = "diary_logs"
    __table_args__ = (
        Index("diary_logs_by_date", "profile_id", "date"),
        Index("diary_logs_by_food", "profile_id", "food_number"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    profile_id: Mapped[int] = mapped_column(ForeignKey("profiles.id"))
    food_number: Mapped[int] = mapped_column(ForeignKey("foods.number"))
    date: Mapped[day]
    meal: Mapped[str]
    number_of_servings: Mapped[float]
    created_at: Mapped[int]
    food: Mapped[Food] = relationship(lazy="joined", innerjoin=True)
