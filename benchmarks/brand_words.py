"""The words that invented packages are named with, all of our own choosing, the commoner ones first.

The order matters: the generator in `brands.py` draws by a Zipf law, so that a word's place is its frequency. A phrase
between two commas counts as one word. `TEMPLATES` say how the words of a language make a name, each after its weight.
"""


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(phrase.split()) for phrase in text.split(","))


# Names that are a plain food and nothing else, which no maker of a search may let stand above the food itself.
PLAIN = _listed("""
    milk, chicken breast, butter, eggs, cheddar cheese, peanut butter, whole milk, olive oil, honey, bananas, white
    rice, bread, ice cream, apple juice, orange juice, tomato ketchup, mayonnaise, salt, sugar, yogurt, bacon, potato
    chips, almonds, black beans, oatmeal, brown rice, cream cheese, sour cream, ham, tuna, salmon, ground beef,
    apples, spinach, pasta, cottage cheese, mozzarella, popcorn, green beans, sweet corn, green peas, strawberries,
    blueberries, banana, raisins, walnuts, cashews, pistachios, egg, apple, chicken, beef, turkey breast, shrimp, cod,
    tofu, hummus, salsa, lemonade, cola, coffee, green tea, black tea, skim milk, almond milk, soy milk, coconut milk,
    buttermilk, whipped cream, half and half, greek yogurt, vanilla ice cream, dark chocolate, milk chocolate, cocoa,
    flour, oats, granola, corn flakes, bagels, english muffins, tortillas, pancakes, waffles, spaghetti, lasagna,
    pizza, french fries, mashed potatoes, potatoes, onions, carrots, broccoli, cauliflower, mushrooms, tomatoes,
    tomato sauce, tomato paste, garlic, ginger, cucumber, avocado, avocados, mango, pineapple, grapes, peaches, pears,
    plums, cherries, lemon, limes, oranges, kiwi, raspberries, cranberries, dates, prunes, figs, chickpeas, lentils,
    kidney beans, pinto beans, quinoa, couscous, barley, white bread, rye bread, whole wheat bread, hot dogs, sausage,
    pepperoni, salami, meatballs, hamburger buns, pork chops, lamb, duck, lard, margarine, canola oil, vinegar,
    mustard, soy sauce, maple syrup, strawberry jam, grape jelly, parmesan, feta, brie, swiss cheese, chicken thighs,
    chicken wings, rice, water, tea, beer, sunflower seeds, pumpkin seeds, chia seeds, pecans, hazelnuts, brazil nuts,
    coconut, pickles, olives, sauerkraut, kale, lettuce, celery, asparagus, zucchini, eggplant, sweet potatoes, beets,
    brown sugar, baking powder, cornstarch, gelatin, pretzels, crackers, doughnuts, croissants
""")

ENGLISH = {
    "food": _listed("""
        cheese, milk, cookies, sauce, yogurt, bar, bread, juice, chips, ice cream, tea, soup, drink, cereal, chicken,
        crackers, candy, dressing, mix, pizza, butter, cake, coffee, beans, pasta, salad, water, nuts, snack, soda,
        beef, sausage, salsa, oil, granola, spread, cream, chocolate, rice, pie, turkey, jam, popcorn, noodles, ham,
        biscuits, muffins, syrup, dip, bacon, seasoning, pretzels, almonds, peanuts, peanut butter, fruit snacks,
        potato chips, tortilla chips, lemonade, pork, tomatoes, potatoes, tuna, salmon, shrimp, smoothie, hummus,
        pudding, honey, jelly, brownies, mayonnaise, mustard, ketchup, vinegar, pickles, olives, oats, oatmeal,
        waffles, pancakes, tortillas, bagels, buns, rolls, gum, mints, gummies, jerky, hot dogs, meatballs, burgers,
        nuggets, fries, macaroni & cheese, lasagna, ravioli, burrito, tacos, quesadilla, wraps, sandwich, chili, stew,
        broth, stock, gravy, peas, corn, carrots, spinach, broccoli, mushrooms, peppers, onions, green beans, lentils,
        chickpeas, quinoa, couscous, flour, sugar, salt, pepper, spice, rub, marinade, glaze, frosting, sprinkles,
        baking chips, cocoa, sherbet, sorbet, gelato, popsicles, frozen dessert, custard, mousse, cheesecake,
        doughnuts, donut holes, croissants, danish, scones, shortbread, wafers, fudge, toffee, truffles, caramels,
        marshmallows, licorice, lollipops, trail mix, cashews, pistachios, walnuts, pecans, hazelnuts, sunflower
        seeds, raisins, cranberries, dates, apricots, prunes, apples, bananas, oranges, grapes, strawberries,
        blueberries, peaches, pears, pineapple, mango, applesauce, fruit cup, fruit cocktail, nectar, cider, kombucha,
        energy drink, sports drink, protein shake, protein powder, sparkling water, tonic, ginger ale, root beer, iced
        tea, cold brew, latte, creamer, half & half, whipped topping, sour cream, cottage cheese, cream cheese, string
        cheese, kefir, buttermilk, eggs, egg whites, tofu, tempeh, seitan, veggie patties, falafel, cod fillets,
        tilapia, crab cakes, lobster bisque, clam chowder, sardines, anchovies, herring, mackerel, scallops, mussels,
        calamari, fish sticks, caviar, steak, shepherd's pie, ribs, meatloaf, brisket, pastrami, corned beef, roast,
        prosciutto, salami, pepperoni, bologna, liverwurst, pâté, bratwurst, chorizo, lamb chops, duck breast, veal,
        bison, venison, quiche, pierogies, dumplings, egg rolls, spring rolls, pot stickers, sushi, ramen, udon,
        curry, tikka masala, naan, pita, flatbread, focaccia, crostini, breadsticks, croutons, stuffing, bread crumbs,
        pancake mix, cake mix, polenta, grits, bulgur, farro, barley, millet, buckwheat, tahini, pesto, alfredo,
        marinara, guacamole, relish, horseradish, chutney, sauerkraut, kimchi, capers, artichokes, hearts of palm,
        beets, kale, collard greens, edamame, okra, plantains, crème brûlée, crème fraîche, soufflé, éclairs,
        macarons, biscotti, baklava, halva, churros, flan, tapioca, semolina
    """),
    "flavour": _listed("""
        chocolate, milk chocolate, vanilla, strawberry, cheddar, original, apple, garlic, lemon, butter, cinnamon,
        peanut butter, tomato, honey, dark chocolate, almond, caramel, chicken, blueberry, sea salt, coconut, orange,
        mixed berry, banana, cherry, raspberry, mint, lime, onion, herb, cream, cheese, mango, peach, maple, barbecue,
        ranch, jalapeño, basil, olive oil, potato, corn, rice, cranberry, pumpkin, beef, bacon, black pepper,
        mushroom, hazelnut, coffee, cookies & cream, grape, pineapple, pomegranate, ginger, turkey, oat, walnut,
        pecan, cashew, pistachio, sour cream & onion, buffalo, chili, spinach, mozzarella, parmesan, salted caramel,
        brown sugar, white chocolate, fudge, birthday cake, watermelon, fruit punch, tropical, green tea, lavender,
        rosemary, thyme, sage, oregano, cilantro, red pepper, sun-dried tomato, feta, goat cheese, blue cheese, swiss,
        provolone, gouda, brie, monterey jack, pepper jack, ham, pork, shrimp, salmon, tuna, sweet potato, carrot,
        beet, kale, broccoli, cauliflower, quinoa, chia, flax, sesame, sunflower, buttermilk, acai, açaí, goji,
        elderberry, blackberry, cucumber, grapefruit, tangerine, apricot, plum, fig, date, pear, kiwi, guava, passion
        fruit, lychee, dragon fruit, matcha, chai, espresso, mocha, irish cream, rum, bourbon, eggnog, gingerbread,
        peppermint, spearmint, wintergreen, bubble gum, cotton candy, marshmallow, graham, pretzel, wasabi, teriyaki,
        sriracha, chipotle, habanero, ancho, curry, turmeric, cumin, cardamom, saffron, truffle, horseradish, dijon,
        balsamic, caesar, thousand island, italian, crème fraîche, jerk
    """),
    "adjective": _listed("""
        organic, premium, creamy, classic, natural, light, low-fat, fresh, whole, gluten-free, frozen, sweet, crunchy,
        white, black, reduced fat, roasted, salted, unsalted, dried, sliced, smoked, fat free, red, green, spicy,
        sugar-free, homestyle, mini, whole grain, hot, extra virgin, large, family pack, mild, thick, soft, crispy,
        shredded, pure, diet, zero, vegan, raw, unsweetened, sweetened, deluxe, traditional, gourmet, golden, old
        fashioned, double, extra, chopped, baked, grilled, boneless skinless, lean, whole wheat, multigrain, honey,
        wild, cooked, instant, seasoned, hand cut, farmhouse, rustic, stone ground, cage free, grass fed, free range,
        non-GMO, dairy-free, low sodium, high-protein, farmer's, baker's, chef's, kids', gluten free, fat-free, sugar
        free, low fat, keto, thin, chunky, smooth, tender, juicy, ripe, seedless, pitted, peeled, diced, crushed,
        ground, minced, stuffed, breaded, battered, glazed, frosted, iced, toasted, fire roasted, slow cooked, kettle
        cooked, oven baked, cold pressed, sparkling, concentrated, evaporated, condensed, pasteurized, uncured,
        hardwood smoked, hickory smoked, aged, sharp, extra sharp, tangy, zesty, bold, savory, signature, artisan,
        handcrafted, small batch, kosher, halal, southern style, new york style, thai, mexican, french, greek,
        italian, asian, japanese, swiss, belgian, hawaiian, cajun, mediterranean, jumbo, petite, bite size, snack
        size, value pack
    """),
    "form": _listed("""
        slices, bites, pieces, sticks, cups, chunks, clusters, crisps, squares, minis, bits, strips, wedges, halves,
        rounds, puffs, thins, twists, balls, cubes, flakes, powder, mix, blend, spread, dip, bar, bars, singles,
        pouch, variety pack, sampler, assortment, snack packs, kit, bowl, fillets, tenders, patties, links, crumbles,
        medley, florets, spears, rings, shells, crumbs, drops, bark, logs, shreds, nibs, tubs, bottle, can, box,
        canister, gift box, stocking stuffer, party tray
    """),
}

FRENCH = {
    "food": _listed("""
        fromage, chocolat, lait, jus, biscuits, yaourt, sauce, pain, confiture, jambon, poulet, beurre, soupe, crème,
        salade, thé, sirop, saucisson, pizza, gâteau, tarte, miel, glace, pâtes, riz, compote, filet, tablette,
        boisson, huile, céréales, brioche, croissants, madeleines, galettes, crêpes, velouté, purée, gratin, quiche,
        lasagnes, raviolis, ratatouille, pâté, terrine, rillettes, mousse, foie gras, magret, cuisses, escalopes,
        rôti, steak haché, boulettes, lardons, saucisses, andouillette, boudin, quenelles, thon, saumon, sardines,
        maquereaux, cabillaud, crevettes, moules, bouillon, haricots verts, petits pois, lentilles, pois chiches,
        carottes râpées, champignons, épinards, pommes, poires, fraises, framboises, cerises, abricots, pruneaux,
        amandes, noix, noisettes, moutarde, mayonnaise, vinaigre, cornichons, olives, tapenade, houmous, taboulé,
        moelleux, éclair, millefeuille, macarons, meringues, nougat, pralines, truffes, caramels, réglisse, dragées,
        sablés, gaufres, financiers, pain d'épices, tartines, biscottes, baguette, fougasse, œufs, faisselle
    """),
    "flavour": _listed("""
        au chocolat, de poulet, aux fruits, à la vanille, de pomme, au lait, à la fraise, d'orange, au citron, de
        porc, au miel, aux noix, de canard, d'olive, au caramel, à la tomate, aux légumes, au fromage, de noisette, de
        coco, aux amandes, de dinde, de chèvre, de brebis, à la framboise, aux herbes, au beurre, au café, à
        l'ancienne, de bœuf, de riz, au sel, à la crème, de tournesol, d'abricot, aux épices, à la menthe, aux
        champignons, au basilic, de soja, de blé, de saumon, au poivre, à l'ail, de cassis, aux myrtilles, de figue, à
        la pêche, de châtaigne, au thon, de raisin, aux pruneaux, de maïs, au curry, de quinoa, d'épeautre, au
        sarrasin, à la rhubarbe, aux cèpes, au roquefort, de veau, d'agneau, au piment, à la moutarde
    """),
    "adjective": _listed("""
        bio, nature, extra, noir, pur, sans sucre ajouté, blanc, entier, demi-écrémé, frais, fumé, allégé, complet,
        vert, au naturel, supérieur, artisanal, doux, cuit, grillé, léger, salé, sucré, bruni, fondant, croustillant,
        gourmand, maison, fermier, tradition, onctueux, sec, râpé, surgelé, sans gluten, label, campagnard, provençal,
        breton, basque, alsacien, lyonnais
    """),
}

GERMAN = {
    "food": _listed("""
        Milch, Käse, Brot, Joghurt, Wurst, Schokolade, Saft, Butter, Kekse, Müsli, Quark, Suppe, Tee, Nudeln,
        Marmelade, Honig, Schinken, Salami, Brötchen, Kuchen, Eis, Senf, Essig, Öl, Sahne, Frischkäse, Bonbons,
        Lebkuchen, Pudding, Würstchen, Schnitzel, Frikadellen, Kartoffeln, Kartoffelsalat, Sauerkraut, Rotkohl,
        Gurken, Erbsen, Linsen, Spätzle, Knödel, Forelle, Hering, Lachs, Brezeln, Zwieback, Knäckebrot, Stollen,
        Waffeln, Gummibärchen, Apfelmus, Grütze, Leberwurst, Maultaschen
    """),
    "first": _listed("""
        Vollmilch, Apfel, Erdbeer, Vanille, Kirsch, Haselnuss, Kartoffel, Tomaten, Roggen, Dinkel, Hafer, Himbeer,
        Zitronen, Butter, Rahm, Kräuter, Zwiebel, Bauern, Land, Haus, Vollkorn, Mandel, Kokos, Honig, Karamell,
        Pfirsich, Bananen, Orangen, Geflügel, Puten, Rinder, Schweine, Lachs, Gemüse, Pilz, Spargel, Kürbis,
        Sonnenblumen, Mohn, Sesam, Heidelbeer, Johannisbeer
    """),
    "second": _listed("""
        joghurt, saft, brot, kuchen, käse, suppe, wurst, schinken, salat, creme, tee, eis, kekse, pudding, aufstrich,
        riegel, milch, quark, brötchen, müsli, chips, sauce, likör, marmelade, konfitüre, pfanne, auflauf, schnitten,
        stangen, taschen, bällchen
    """),
    "adjective": _listed("""
        Bio, Feine, Frische, Leichte, Zarte, Würzige, Original, Fettarme, Ungesüßte, Gesalzene, Geräucherte, Milde,
        Knusprige, Vegane, Laktosefreie, Glutenfreie, Gebackene, Süße, Scharfe, Ländliche, Hausgemachte, Bayerische,
        Schwäbische, Körnige
    """),
}

SPANISH = {
    "food": _listed("""
        leche, queso, chocolate, galletas, aceite, jamón, yogur, pan, zumo, atún, arroz, pollo, salsa, miel, chorizo,
        turrón, sopa, mermelada, tortilla, aceitunas, pimientos, garbanzos, lentejas, alubias, patatas fritas,
        bizcocho, magdalenas, churros, helado, natillas, flan, cuajada, sobrasada, morcilla, salchichón, lomo,
        merluza, sardinas, mejillones, boquerones, gazpacho, empanada, croquetas, albóndigas, paella, almendras,
        piñones, membrillo, polvorones, horchata, café, infusión, vinagre
    """),
    "flavour": _listed("""
        de oliva, con chocolate, de leche, de cabra, con almendras, de fresa, de pollo, con tomate, de naranja, de
        limón, de vaca, de oveja, de piña, con miel, de trigo, con verduras, de cerdo, de coco, con avellanas, de
        ternera, al ajillo, en escabeche, a la piedra, de melocotón, con nata, de pavo, con frutas, de avena, al
        natural, de maíz, con pimentón, de manzana
    """),
    "adjective": _listed("""
        integral, natural, virgen extra, ibérico, entera, desnatada, sin azúcar, ecológico, curado, semicurado,
        serrano, clásico, fresco, tostado, rallado, ahumado, picante, dulce, casero, artesano, sin gluten, tierno,
        relleno, crujiente, español, añejo
    """),
}

ITALIAN = {
    "food": _listed("""
        pasta, formaggio, latte, biscotti, spaghetti, olio, passata, sugo, prosciutto, mozzarella, cioccolato, penne,
        gnocchi, pane, succo, riso, tortellini, ravioli, pesto, salame, mortadella, ricotta, panna, gelato, caffè,
        grissini, taralli, crackers, panettone, colomba, amaretti, cantucci, torta, crostata, marmellata, miele,
        aceto, polenta, farro, ceci, fagioli, lenticchie, pomodori pelati, melanzane, carciofi, funghi, tonno,
        acciughe, bresaola, speck, stracchino, taleggio, tiramisù, focaccia
    """),
    "flavour": _listed("""
        di pomodoro, al cioccolato, con basilico, di latte, al limone, di grano duro, di mele, con funghi, alla
        nocciola, al pesto, di arancia, alla vaniglia, di riso, con olive, di oliva, ai quattro formaggi, alla
        bolognese, di mandorle, con tonno, al forno, di pera, alla fragola, al rosmarino, di bufala, con verdure, di
        pollo, al caffè, con spinaci, alla genovese, al tartufo
    """),
    "adjective": _listed("""
        biologico, integrale, fresco, classico, extra vergine, senza glutine, intero, senza zucchero, crudo, cotto,
        stagionato, artigianale, dolce, piccante, affumicato, rustico, toscano, siciliano, magro, leggero, tipico,
        grattugiato, croccante
    """),
}

LANGUAGES = {"english": ENGLISH, "french": FRENCH, "german": GERMAN, "spanish": SPANISH, "italian": ITALIAN}
SHARES = {"english": 0.64, "french": 0.17, "german": 0.07, "spanish": 0.06, "italian": 0.06}

# What stands on a package beside the name of the food.
SIZES = _listed("""
    500 g, 1L, 2 x 125 g, 250 g, 16 oz, 1 kg, 6 x 330 ml, 12 x 330 ml, 750 ml, 12 oz, 100 g, 200 g, 1.5 L, 4 x 100 g,
    8 oz, 6 pack, 33 cl, 50 cl, 300 g, 400 g, 150 g, 2 L, 12 count, 24 pack, 10 ct, 1 lb, 5 lb, 32 fl oz, 64 fl oz, 1
    gallon, 20 oz, 28 oz, 70 cl, 125 g, 175 g, 350 g, 600 g, 800 g, 4 pack, 8 pack, 18 ct, 2 kg, 5 kg, 85 g, 90 g, 45
    g, 1/2 gallon, 9.5 oz, 14.5 oz, 10.75 oz
""")
PERCENTS = _listed("""
    100%, 2%, 1%, 70%, 0%, 85%, 50%, 3.5%, 20%, 1.5%, 30%, 90%, 72%, 99%, 40%, 5%, 15%, 60%, 3.25%, 93/7, 80/20
""")

# A weight and how a name is put together. Two kinds of words are invented: a `variety` is a range, a place or a sort
# that many products share, a `line` one that few have. Long templates are rare, as long names are.
TEMPLATES = {
    "english": """
        4 {plain}
        2 {food}
        4 {line}
        3 {variety} {line}
        7 {adjective} {food}
        9 {flavour} {food}
        7 {line} {food}
        9 {variety} {food}
        3 {food}, {flavour}
        7 {adjective} {flavour} {food}
        7 {line} {flavour} {food}
        8 {variety} {flavour} {food}
        4 {flavour} {food} {form}
        4 {flavour} & {flavour} {food}
        2 {percent} {food} {size}
        1 {percent} {adjective} {food}
        2 {variety} {food} {size}
        2 {plain} {size}
        3 {adjective} {food} with {flavour}
        5 {variety} {adjective} {food}, {flavour}
        3 {adjective} {adjective} {flavour} {food}
        3 {food}, {flavour} & {flavour}, {adjective}
        3 {line}, {adjective} {flavour} {food} {form}
        2 {adjective} {variety} {food} with {flavour} and {flavour}
        2 {line} {variety} {adjective} {flavour} {food}, {size}
        2 {adjective} {flavour}, {flavour} & {flavour} {variety} {food} {form}
        1.4 {variety} {adjective} {adjective} {line} {food} {form} with {flavour}, {size}
        0.7 {adjective} {flavour} {food} with {flavour}, {flavour} and {flavour}, {form} {size}
        0.5 {line} {adjective} {adjective} {flavour} & {flavour} {food} {form} with {flavour}, {size}
    """,
    "french": """
        3 {food}
        3 {line}
        13 {food} {flavour}
        5 {food} {adjective}
        4 {food} {line}
        5 {food} {variety}
        8 {food} {flavour} {adjective}
        5 {food} {flavour} de {variety}
        3 {food} {flavour} et {line}
        5 {food} {adjective} {flavour} {flavour}
        3 {line} {food} {flavour}
        2 {variety} {food} {flavour} {size}
        2 {food} de {line}
        2 {food} {adjective} l'{variety} {flavour}
        1 {food} {adjective} de la {line} {flavour} et sa {food} {adjective}
    """,
    "german": """
        4 {food}
        4 {line}
        7 {first}{second}
        4 {adjective} {food}
        5 {adjective} {first}{second}
        4 {line} {food}
        5 {variety} {first}{second}
        5 {variety} {adjective} {food}
        3 {first}-{food}
        4 {food} mit {first}{second}
        3 {line} {first}{second} {size}
        2 {variety} {adjective} {food} mit {first} und {first}, {size}
    """,
    "spanish": """
        4 {food}
        3 {line}
        9 {food} {flavour}
        5 {food} {adjective}
        4 {food} {line}
        6 {food} {flavour} {variety}
        6 {food} {adjective} {flavour}
        4 {food} {flavour} y {line}
        3 {food} {flavour} {adjective} {variety} {size}
    """,
    "italian": """
        4 {food}
        3 {line}
        9 {food} {flavour}
        5 {food} {adjective}
        4 {food} {line}
        6 {variety} {food} {flavour}
        6 {food} {adjective} {flavour}
        3 {line} {food} {flavour}
        3 {food} {flavour} {adjective} {variety} {size}
    """,
}
