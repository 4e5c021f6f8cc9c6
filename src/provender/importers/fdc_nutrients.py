"""How FoodData Central numbers and measures nutrients, and what the registry calls them.

Nutrients that are not in this table are read past: the registry has no name for them, or FDC none for the registry's
(omega sums, net carbohydrates).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from provender.importers.amounts import ENERGY_KJ, MASSES, SALT, VITAMIN_D_IU_PER_MCG
from provender.model.nutrients import NUTRIENTS

# FDC's nutrient id, its older nutrient number, the registry's name. Where several have one name, the first that a food
# has counts. Energy is the food's own, else by Atwater's specific factors, else by the general ones; of two definitions
# of fat, carbohydrates, fiber and sugars, the one that most foods are measured by comes first.
_TABLE = """
    1008 208 energy_kcal
    2048 958 energy_kcal
    2047 957 energy_kcal
    1062 268 energy_kj
    1003 203 total_protein_in_gm
    1004 204 total_fat_in_gm
    1085 298 total_fat_in_gm
    1005 205 total_carbohydrates_in_gm
    1050 205.2 total_carbohydrates_in_gm
    1018 221 alcohol_in_gm
    1057 262 caffeine_in_mg
    1058 263 theobromine_in_mg
    1051 255 water_in_gm
    1106 320 vitamin_a_in_mcg
    1104 318 vitamin_a_in_iu
    1165 404 vitamin_b1_in_mg
    1166 405 vitamin_b2_in_mg
    1167 406 vitamin_b3_in_mg
    1170 410 vitamin_b5_in_mg
    1175 415 vitamin_b6_in_mg
    1178 418 vitamin_b12_in_mcg
    1162 401 vitamin_c_in_mg
    1110 324 vitamin_d_in_iu
    1114 328 vitamin_d_in_mcg
    1111 325 vitamin_d2_in_mcg
    1112 326 vitamin_d3_in_mcg
    1109 323 vitamin_e_in_mg
    1185 430 vitamin_k_in_mcg
    1183 428 menaquinone_4_in_mcg
    1184 429 dihydrophylloquinone_in_mcg
    1177 417 folate_in_mcg
    1186 431 folic_acid_in_mcg
    1187 432 food_folate_in_mcg
    1190 435 folate_dfe_in_mcg
    1180 421 choline_in_mg
    1198 454 betaine_in_mg
    1176 416 biotin_in_mcg
    1105 319 retinol_in_mcg
    1108 322 alpha_carotene_in_mcg
    1107 321 beta_carotene_in_mcg
    1120 334 beta_cryptoxanthin_in_mcg
    1122 337 lycopene_in_mcg
    1123 338 lutein_and_zeaxanthin_in_mcg
    1125 341 beta_tocopherol_in_mg
    1126 342 gamma_tocopherol_in_mg
    1127 343 delta_tocopherol_in_mg
    1128 344 alpha_tocotrienol_in_mg
    1129 345 beta_tocotrienol_in_mg
    1130 346 gamma_tocotrienol_in_mg
    1131 347 delta_tocotrienol_in_mg
    1246 578 added_vitamin_b12_in_mcg
    1242 573 added_vitamin_e_in_mg
    1093 307 sodium_in_mg
    1149 375 salt_in_g
    1087 301 calcium_in_mg
    1089 303 iron_in_mg
    1092 306 potassium_in_mg
    1098 312 copper_in_mg
    1090 304 magnesium_in_mg
    1095 309 zinc_in_mg
    1091 305 phosphorus_in_mg
    1103 317 selenium_in_mcg
    1101 315 manganese_in_mg
    1100 314 iodine_in_mcg
    1099 313 fluoride_in_mcg
    1088 302 chloride_in_mg
    1096 310 chromium_in_mcg
    1102 316 molybdenum_in_mcg
    1007 207 ash_in_g
    1079 291 fiber_in_g
    2033 293 fiber_in_g
    1009 209 starch_in_g
    2000 269 sugars_in_g
    1063 269.3 sugars_in_g
    1235 539 added_sugars_in_g
    1010 210 sucrose_in_g
    1011 211 glucose_in_g
    1012 212 fructose_in_g
    1013 213 lactose_in_g
    1014 214 maltose_in_g
    1075 287 galactose_in_g
    1086 299 polyols_in_g
    1253 601 cholesterol_in_mg
    1292 645 monounsaturated_fat_g
    1293 646 polyunsaturated_fat_g
    1257 605 trans_fat_g
    1258 606 saturated_fat_g
    1329 693 trans_monoenoic_fat_in_g
    1331 695 trans_polyenoic_fat_in_g
    1283 636 phytosterols_in_mg
    1285 638 stigmasterol_in_mg
    1286 639 campesterol_in_mg
    1288 641 beta_sitosterol_in_mg
    1259 607 fatty_acid_4_0_in_g
    1260 608 fatty_acid_6_0_in_g
    1261 609 fatty_acid_8_0_in_g
    1262 610 fatty_acid_10_0_in_g
    1263 611 fatty_acid_12_0_in_g
    1332 696 fatty_acid_13_0_in_g
    1264 612 fatty_acid_14_0_in_g
    1299 652 fatty_acid_15_0_in_g
    1265 613 fatty_acid_16_0_in_g
    1300 653 fatty_acid_17_0_in_g
    1266 614 fatty_acid_18_0_in_g
    1267 615 fatty_acid_20_0_in_g
    1273 624 fatty_acid_22_0_in_g
    1301 654 fatty_acid_24_0_in_g
    1274 625 fatty_acid_14_1_in_g
    1333 697 fatty_acid_15_1_in_g
    1275 626 fatty_acid_16_1_in_g
    1314 673 fatty_acid_16_1_c_in_g
    1303 662 fatty_acid_16_1_t_in_g
    1323 687 fatty_acid_17_1_in_g
    1268 617 fatty_acid_18_1_in_g
    1315 674 fatty_acid_18_1_c_in_g
    1304 663 fatty_acid_18_1_t_in_g
    1412 859 fatty_acid_18_1_11_t_in_g
    1277 628 fatty_acid_20_1_in_g
    1279 630 fatty_acid_22_1_in_g
    1317 676 fatty_acid_22_1_c_in_g
    1305 664 fatty_acid_22_1_t_in_g
    1312 671 fatty_acid_24_1_c_in_g
    1269 618 fatty_acid_18_2_in_g
    1316 675 fatty_acid_18_2_n6_in_g
    1311 670 fatty_acid_18_2_cla_in_g
    1307 666 fatty_acid_18_2_i_in_g
    1306 665 fatty_acid_18_2_t_in_g
    1310 669 fatty_acid_18_2_tt_in_g
    1270 619 fatty_acid_18_3_in_g
    1404 851 fatty_acid_18_3_n3_in_g
    1321 685 fatty_acid_18_3_n6_in_g
    1409 856 fatty_acid_18_3_i_in_g
    1276 627 fatty_acid_18_4_in_g
    1313 672 fatty_acid_20_2_n6_in_g
    1325 689 fatty_acid_20_3_in_g
    1405 852 fatty_acid_20_3_n3_in_g
    1406 853 fatty_acid_20_3_n6_in_g
    1271 620 fatty_acid_20_4_in_g
    1408 855 fatty_acid_20_4_n6_in_g
    1278 629 fatty_acid_20_5_n3_in_g
    1410 857 fatty_acid_21_5_in_g
    1411 858 fatty_acid_22_4_in_g
    1280 631 fatty_acid_22_5_n3_in_g
    1272 621 fatty_acid_22_6_n3_in_g
    1216 507 cystine_in_g
    1221 512 histidine_in_g
    1212 503 isoleucine_in_g
    1213 504 leucine_in_g
    1215 506 methionine_in_g
    1217 508 phenylalanine_in_g
    1211 502 threonine_in_g
    1218 509 tyrosine_in_g
    1219 510 valine_in_g
    1214 505 lysine_in_g
    1210 501 tryptophan_in_g
    1220 511 arginine_in_g
    1222 513 alanine_in_g
    1223 514 aspartic_acid_in_g
    1224 515 glutamic_acid_in_g
    1225 516 glycine_in_g
    1226 517 proline_in_g
    1227 518 serine_in_g
    1228 521 hydroxyproline_in_g
    1053 257 adjusted_protein_in_g
"""

_MEASURED_ENERGY = 1008

_UNITS = MASSES | {"iu": "IU", "kcal": "kcal", "kj": "kJ"}
_APART = {ENERGY_KJ: "kJ", SALT: "g"}
# Of grams; whole powers of ten, so that converting rounds once at most.
_PARTS_OF_A_GRAM = {"g": 1, "mg": 1000, "mcg": 1_000_000}


class Scale(NamedTuple):
    """How an amount of one FDC nutrient becomes one in the registry's unit."""

    nutrient_id: int
    multiplier: int
    divisor: int


class Named(NamedTuple):
    """A food's nutrients in the registry's names, and what a candidate holds apart."""

    nutrients: dict[str, float]
    energy_kj: float | None
    salt_in_g: float | None
    # Whether the energy was worked out by FDC with Atwater's factors.
    is_atwater: bool


_ROWS = [(int(id_), number, name) for id_, number, name in (line.split() for line in _TABLE.strip().splitlines())]
_NAMES = {id_: name for id_, _, name in _ROWS}
_WANTED = {id_: NUTRIENTS[name].unit if name in NUTRIENTS else _APART[name] for id_, name in _NAMES.items()}
_RANKS = {id_: rank for rank, id_ in enumerate(_NAMES)}
# Ids begin at 1001 and numbers end at 999, so that one look-up serves the files that have numbers where ids belong.
_IDS = {str(id_): id_ for id_, _, _ in _ROWS} | {number: id_ for id_, number, _ in _ROWS}


@lru_cache(maxsize=4096)
def find_scale(code: str, unit_name: str) -> Scale | None:
    """The scale for a nutrient id or number and FDC's name of its unit; None where the registry cannot take it.

    FDC's own unit is meant where the name is empty, as it is when `nutrient.csv` lacks the nutrient.
    """
    nutrient_id = _IDS.get(code)
    if nutrient_id is None:
        return None
    wanted = _WANTED[nutrient_id]
    # Salt is the one that FDC has in another unit than is wanted here.
    own = "mg" if _NAMES[nutrient_id] == SALT else wanted
    given = _UNITS.get(unit_name.strip().lower()) if unit_name.strip() else own
    if given == wanted:
        return Scale(nutrient_id, 1, 1)
    if given not in _PARTS_OF_A_GRAM or wanted not in _PARTS_OF_A_GRAM:
        return None
    parts, given_parts = _PARTS_OF_A_GRAM[wanted], _PARTS_OF_A_GRAM[given]
    return Scale(nutrient_id, max(parts // given_parts, 1), max(given_parts // parts, 1))


def find_scales(units: Mapping[str, str]) -> dict[str, Scale]:
    """The scales of all nutrients of a bundle, by id and by number; `units` is what its `nutrient.csv` says, by id."""
    scales = {code: find_scale(code, units.get(str(id_), "")) for code, id_ in _IDS.items()}
    return {code: scale for code, scale in scales.items() if scale is not None}


def name_nutrients(amounts: Mapping[int, float]) -> Named:
    """Name the amounts of a food, which are by nutrient id and scaled already."""
    named: dict[str, float] = {}
    ids: dict[str, int] = {}
    for nutrient_id, amount in amounts.items():
        name = _NAMES[nutrient_id]
        if name not in ids or _RANKS[nutrient_id] < _RANKS[ids[name]]:
            named[name], ids[name] = amount, nutrient_id
    if "vitamin_d_in_mcg" in named:
        named.setdefault("vitamin_d_in_iu", named["vitamin_d_in_mcg"] * VITAMIN_D_IU_PER_MCG)
    elif "vitamin_d_in_iu" in named:
        named["vitamin_d_in_mcg"] = named["vitamin_d_in_iu"] / VITAMIN_D_IU_PER_MCG
    return Named(
        energy_kj=named.pop(ENERGY_KJ, None),
        salt_in_g=named.pop(SALT, None),
        nutrients=named,
        is_atwater=ids.get("energy_kcal", _MEASURED_ENERGY) != _MEASURED_ENERGY,
    )
