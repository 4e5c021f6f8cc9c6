"""Kinds of parameters: how each is read from text and from JSON, and how the OpenAPI document describes it.

A kind raises Unfit for what it does not take; nothing else may leave it, whatever comes in.
"""

from provender.api.kinds.choices import Choice, Choices, Flag
from provender.api.kinds.dates import Date
from provender.api.kinds.items import Items
from provender.api.kinds.kind import Kind, Schema, Unfit
from provender.api.kinds.numbers import Amount, Group, Number, Whole
from provender.api.kinds.texts import REFERENCE_ID, Barcode, Cursor, Id, Query, Text, Timezone

__all__ = [
    "REFERENCE_ID",
    "Amount",
    "Barcode",
    "Choice",
    "Choices",
    "Cursor",
    "Date",
    "Flag",
    "Group",
    "Id",
    "Items",
    "Kind",
    "Number",
    "Query",
    "Schema",
    "Text",
    "Timezone",
    "Unfit",
    "Whole",
]
