import { type Recipe, recipeSchema } from "@marketday/server/modules/pictures/recipe";

/** A picture that products, collections and posts share, by its name. */
export interface NamedRecipe {
  key: string;
  alt: string;
  recipe: Recipe;
}

/** name | what is seen | ground palette layout | motifs, first in front. */
const stills = `
tomatoes-red | A heap of red tomatoes | gingham 2 heap | tomato
tomatoes-gold | Yellow tomatoes on planks | crate 0 heap | tomato~gold
tomatoes-mixed | Red, yellow and purple tomatoes in a crate | linen 5 crate | tomato, tomato~gold, tomato~purple
tomatoes-dark | Purple-black tomatoes | arch 4 trio | tomato~purple
tomatoes-green | Green tomatoes | linen 1 trio | tomato~green
peppers-green | Green bell peppers | gingham 1 heap | bell-pepper
peppers-mixed | Red, yellow and green peppers | sun 5 trio | bell-pepper, bell-pepper~gold, bell-pepper~red
peppers-hot | Hot red peppers | crate 2 ring | hot-pepper
peppers-hot-green | Green and red chilies | linen 1 scatter | hot-pepper~green, hot-pepper
cucumbers | Sliced cucumbers | gingham 3 trio | cucumber
zucchini | Zucchini | crate 1 trio | zucchini/kale
squash-yellow | Yellow summer squash | linen 5 trio | zucchini/butter
squash-mixed | Green and yellow summer squash in a crate | arch 1 crate | zucchini/kale, zucchini/butter
eggplant | Eggplants | linen 4 pair | eggplant
eggplant-heap | A heap of eggplants | gingham 4 heap | eggplant
okra | Okra pods | crate 1 pair | okra/green
corn | Sweet corn | arch 1 row | ear-of-corn
corn-crate | A crate of sweet corn | sun 5 crate | ear-of-corn
beans-green | Green pods | linen 1 ring | pea-pod
peas | Peas in their pods | gingham 1 scatter | pea-pod
carrots | Orange carrots | crate 6 row | carrot
carrots-rainbow | Orange, yellow and purple carrots | linen 0 row | carrot, carrot~gold, carrot~purple
beets | Red beets with their tops | linen 2 trio | root-vegetable
beets-gold | Golden beets | crate 5 trio | root-vegetable~gold
radishes | Pink radishes | gingham 3 heap | root-vegetable~pink
turnips | Pale turnips | linen 6 trio | root-vegetable~white
potatoes | Brown potatoes | crate 0 heap | potato
potatoes-mixed | Gold and purple potatoes in a crate | linen 6 crate | potato, potato~gold, potato~purple
potatoes-red | Red potatoes | gingham 6 heap | potato~red
potatoes-gold | Yellow potatoes | linen 5 heap | potato~gold
sweet-potatoes | Sweet potatoes | crate 2 trio | roasted-sweet-potato
onions | Yellow onions | crate 5 heap | onion
onions-red | Red onions | linen 4 heap | onion~purple
scallions | Green onions | gingham 7 one | leek
leeks | Leeks | linen 1 pair | leek
garlic | Heads of garlic | crate 6 heap | garlic
ginger | Ginger root | linen 0 pair | ginger-root
broccoli | Broccoli crowns | gingham 1 trio | broccoli
cauliflower | A head of cauliflower | linen 3 one | cauliflower/white
cauliflower-color | Purple and orange cauliflower | crate 1 pair | cauliflower/lavender, cauliflower/apricot
cabbage-green | Green cabbage | linen 1 pair | cabbage/green
cabbage-red | Red cabbage | linen 4 pair | cabbage/raspberry
brussels | Brussels sprouts | gingham 6 heap | cabbage/green
lettuce | Heads of lettuce | linen 1 trio | leafy-green
salad | A bowl of salad greens | arch 1 one | green-salad
salad-mix | Salad greens and herbs in a crate | gingham 1 crate | leafy-green, herb, bunch/green
kale | A bunch of kale | linen 6 one | bunch/green
kale-crate | Kale and chard in a crate | crate 1 crate | bunch/green, bunch/raspberry
chard | Red-stemmed chard | gingham 2 pair | bunch/raspberry, bunch/mustard
collards | Broad dark leaves | arch 1 one | bunch/sage
spinach | Tender leaves | linen 1 heap | shamrock
microgreens | A tray of microgreens | linen 7 one | sprouts/green
microgreens-red | A tray of red microgreens | arch 4 one | sprouts/beet
pea-shoots | Pea shoots | gingham 1 one | sprouts/kale
herbs | Fresh green herbs | linen 1 trio | herb
basil | Basil in a pot | arch 1 one | pot-herb/green
rosemary | A pot of rosemary | linen 6 one | pot-herb/sage
mint | Sprigs of mint | gingham 1 ring | herb
lavender | Bunches of lavender | linen 4 pair | sprigs/lavender
asparagus | A bunch of asparagus | linen 1 one | asparagus/green
mushrooms-brown | Brown mushrooms | crate 6 heap | brown-mushroom
mushrooms-oyster | Oyster mushrooms | linen 0 pair | oyster-mushroom/kraft
mushrooms-blue | Blue oyster mushrooms | arch 3 one | oyster-mushroom/slate
mushrooms-gold | Golden oyster mushrooms | sun 5 one | oyster-mushroom/butter
mushrooms-pink | Pink oyster mushrooms | linen 4 one | oyster-mushroom/rose
lions-mane | Lion's mane mushroom | linen 3 one | lions-mane
mushrooms-mixed | Mixed mushrooms in a crate | linen 1 crate | brown-mushroom, oyster-mushroom/kraft, oyster-mushroom/slate
pumpkins | Orange pumpkins | crate 5 trio | pumpkin/pumpkin
pumpkin-white | Pale and blue-green pumpkins | linen 3 pair | pumpkin/cream, pumpkin/sage
butternut | Butternut squash | crate 0 pair | butternut/squash
acorn-squash | Dark green squash | linen 1 trio | pumpkin/kale
delicata | Striped winter squash | gingham 5 pair | zucchini/squash, zucchini/butter
harvest-crate | A crate of mixed vegetables | sun 1 crate | tomato, carrot, leafy-green, ear-of-corn
harvest-roots | A crate of roots | crate 6 crate | carrot, root-vegetable, potato
apples-red | Red apples | gingham 0 heap | red-apple
apples-green | Green apples | linen 1 heap | green-apple
apples-mixed | Red, green and yellow apples in a crate | crate 1 crate | red-apple, green-apple, red-apple~gold
apples-gold | Yellow apples | sun 5 heap | red-apple~gold
pears | Green pears | linen 1 trio | pear
pears-red | Red and gold pears | arch 2 trio | pear~gold, pear~red
peaches | Peaches | sun 2 heap | peach
peaches-crate | A crate of peaches | linen 0 crate | peach
plums | Plums | gingham 4 heap | plum/blackberry
plums-red | Red plums | linen 2 trio | plum/raspberry
apricots | Apricots | linen 5 heap | plum/apricot
cherries | Cherries | gingham 2 scatter | cherries
strawberries | Strawberries | sun 2 heap | strawberry
strawberries-ring | Strawberries on a checked cloth | gingham 7 ring | strawberry
blueberries | Blueberries | linen 7 heap | blueberries
raspberries | Raspberries | gingham 4 one | berries/raspberry
blackberries | Blackberries | linen 4 one | berries/blackberry
berries-mixed | Strawberries, blueberries and raspberries | sun 3 scatter | strawberry, blueberries, berries/raspberry
grapes | Bunches of purple grapes | arch 4 pair | grapes
melon | A netted melon | crate 1 one | melon
watermelon | Slices of watermelon | sun 1 pair | watermelon
citrus | Lemons and limes | gingham 5 scatter | lemon, lime
chestnuts | Chestnuts | crate 2 heap | chestnut
persimmons | Persimmons | linen 2 trio | tangerine
fruit-crate | A crate of orchard fruit | crate 2 crate | red-apple, pear, peach, grapes
eggs-brown | A carton of brown eggs | linen 5 one | carton/kraft
eggs-heap | A heap of brown eggs | gingham 5 heap | egg
eggs-blue | A carton of pale blue eggs | arch 3 one | carton/sky
eggs-white | A carton of white eggs | linen 7 one | carton/white
eggs-mixed | Eggs of many shades | crate 0 heap | egg, egg~white, egg~blue
eggs-duck | Duck eggs and a duck | linen 3 trio | duck, egg~white
chicken | A hen | sun 0 one | chicken
chicken-whole | A rooster and a hen's egg | linen 0 pair | rooster, egg
chicken-cuts | Packed chicken | gingham 6 one | pack/poultry
chicken-legs | Drumsticks on a plate | gingham 0 plate | poultry-leg
turkey | A turkey | arch 0 one | turkey
duck | A duck | linen 3 one | duck
beef-steak | Steaks on a plate | crate 2 plate | cut-of-meat
beef-cut | A cut of beef | linen 6 one | cut-of-meat
beef-ground | Packed ground beef | gingham 2 one | pack/beef
beef-cow | Beef with a cow behind | linen 1 pair | ox, pack/beef
roast | A roast on the bone | arch 2 one | meat-on-bone
pork-cut | Packed pork | linen 2 one | pack/pork
pork-pig | A pig and a pork chop | gingham 4 pair | pig, pack/pork
bacon | Bacon | crate 5 pair | bacon
bacon-plate | Bacon on a plate | gingham 0 plate | bacon
sausage | Links of sausage | crate 0 one | sausage/pork
sausage-smoked | Smoked sausages | linen 6 one | sausage/amber
sausage-hot | Red sausages | sun 2 one | sausage/beef
lamb | A ewe | linen 1 one | ewe
lamb-cut | Packed lamb | arch 1 one | pack/raspberry
goat | A goat | crate 1 one | goat
bison | A bison | sun 0 one | bison
bison-pack | Packed bison | linen 5 one | pack/beet
jerky | Strips of jerky | crate 6 one | jerky/amber
broth | A jar of broth | linen 0 one | jar/amber
bones | Soup bones | linen 3 pair | bone
fish-salmon | A fillet of salmon | gingham 7 one | fillet/salmon
fish-trout | A fillet of trout | linen 3 one | fillet/trout
fish-whole | Whole fish | arch 7 pair | fish
oysters | Oysters | linen 3 plate | oyster
milk | A bottle of milk | gingham 7 one | milk/indigo
milk-glass | A bottle and a glass of milk | linen 3 pair | milk/tomato, glass-of-milk
milk-chocolate | Chocolate milk | linen 2 one | milk/cocoa
milk-cow | A cow and a bottle of milk | sun 1 pair | cow, milk/indigo
cream | A bottle of cream | arch 5 one | milk/butter
yogurt | A tub of yogurt | linen 7 one | tub/sky
yogurt-berry | A tub of berry yogurt | gingham 4 pair | tub/rose, strawberry
yogurt-honey | A tub of honey yogurt | sun 5 pair | tub/honey, honey-pot
kefir | A bottle of kefir | linen 1 one | milk/green
butter | Butter | gingham 5 one | butter
butter-herb | Butter with herbs | linen 1 pair | butter, herb
cheddar | Wedges of cheese | arch 3 pair | cheese-wedge
cheese-wheel | A wheel of cheese | linen 5 one | wheel/butter
cheese-wheel-dark | A cheese with a dark rind | crate 6 one | wheel/amber
cheese-soft | A round soft cheese | linen 3 one | round-cheese/white
cheese-goat | A goat and a fresh cheese | gingham 1 pair | goat, round-cheese/white
cheese-blue | A blue-veined cheese | arch 7 one | round-cheese/slate
cheese-board | Cheeses on a plate | crate 5 plate | cheese-wedge, round-cheese/cream, wheel/butter
curds | Cheese curds | linen 0 one | tub/butter
cream-cheese | A tub of soft cheese | gingham 1 one | tub/green
ice-cream | Scoops of ice cream | sun 4 one | ice-cream
ice-cream-tub | A tub of ice cream | gingham 4 one | tub/rose
soft-serve | Ice cream in a cone | linen 4 trio | soft-ice-cream
popsicles | Fruit ice pops | sun 3 trio | popsicle/strawberry, popsicle/peach, popsicle/blueberry
bread-boule | A round sourdough loaf | crate 0 one | boule
bread-boules | Sourdough loaves stacked | linen 0 trio | boule
bread-loaf | A loaf of sandwich bread | linen 6 one | bread
bread-dark | A dark rye loaf | crate 6 one | loaf/coffee
bread-wheat | A whole wheat loaf | gingham 0 one | loaf/kraft
bread-brioche | A golden loaf | arch 5 one | loaf/butter
baguettes | Baguettes | linen 7 row | baguette-bread
rolls | Soft rolls | gingham 0 heap | loaf/squash
flatbread | Flatbreads | crate 0 trio | flatbread
pretzels | Soft pretzels | gingham 2 trio | pretzel
bagels | Bagels | linen 5 trio | bagel
croissants | Croissants | gingham 5 trio | croissant
cinnamon-rolls | Cinnamon rolls | linen 2 trio | roll
muffins | Blueberry muffins | gingham 7 trio | muffin/blueberry
muffins-pumpkin | Pumpkin muffins | linen 0 trio | muffin/pumpkin
doughnuts | Doughnuts | sun 4 trio | doughnut
cookies | Cookies | linen 0 trio | cookie
cookies-ginger | Dark cookies | gingham 0 one | cookies/amber
cookies-sugar | Pale cookies | arch 4 one | cookies/squash
pie | A pie | gingham 2 one | pie
pie-plate | Pies on a plate | crate 5 plate | pie
cake | A slice of cake | linen 4 pair | shortcake
cupcakes | Cupcakes | sun 4 trio | cupcake
granola | A bag of granola | linen 6 one | bag/honey
waffles | Waffles | gingham 5 trio | waffle
pancake-mix | Pancakes and a bag of mix | linen 5 pair | pancakes, bag/butter
honey | A honey pot | sun 5 one | honey-pot
honey-jar | A jar of honey | gingham 5 one | jar/honey
honey-dark | A jar of dark honey | linen 0 one | jar/amber
honey-bees | Honey and bees | sun 0 trio | honey-pot, honeybee
honeycomb | Honey with comb | arch 5 pair | cloth-jar/honey, honeybee
maple | A bottle of maple syrup | crate 0 one | bottle/maple
maple-leaf | Maple syrup and a leaf | linen 2 pair | bottle/maple, maple-leaf
sorghum | A jug of dark syrup | linen 6 one | jug/amber
jam-strawberry | Strawberry jam | gingham 2 one | cloth-jar/strawberry
jam-blueberry | Blueberry jam | arch 7 one | cloth-jar/blueberry
jam-peach | Peach jam | linen 5 one | cloth-jar/peach
jam-raspberry | Raspberry jam | gingham 4 one | cloth-jar/raspberry
jam-blackberry | Blackberry jam | linen 4 one | cloth-jar/blackberry
apple-butter | Apple butter | crate 1 pair | cloth-jar/apple, red-apple
jelly-pepper | Pepper jelly | gingham 1 one | cloth-jar/pepper
pickles | A jar of pickles | linen 1 pair | jar/pickle, cucumber
pickles-beet | Pickled beets | gingham 4 one | jar/beet
sauerkraut | A jar of sauerkraut | linen 6 one | jar/kraut
kraut-red | Red sauerkraut | arch 4 one | jar/raspberry
kimchi | A jar of kimchi | linen 2 one | jar/pepper
salsa | A jar of salsa | gingham 2 pair | jar/tomato, tomato
salsa-verde | Green salsa | linen 1 one | jar/green
tomato-sauce | Tomato sauce | crate 2 one | jar/tomato
hot-sauce | Hot sauce | sun 2 pair | bottle/pepper, hot-pepper
hot-sauce-green | Green hot sauce | linen 1 one | bottle/green
mustard | A jar of mustard | linen 5 one | jar/mustard
pesto | A jar of pesto | gingham 1 pair | jar/kale, herb
vinegar | Bottles of vinegar | linen 2 pair | bottle/raspberry, bottle/honey
oil | A bottle of oil | arch 5 one | bottle/honey
nut-butter | A jar of nut butter | crate 0 pair | jar/apple, peanuts
spice-tin | Tins of spice | linen 0 pair | tin/pepper, tin/kale
salt-tin | Tins of herb salt | gingham 6 one | tin/sage
dry-beans | Dry beans | linen 0 trio | beans
flour | A bag of flour | linen 6 pair | bag/white, sheaf-of-rice
cornmeal | A bag of cornmeal | crate 5 pair | bag/butter, ear-of-corn
oats | A bag of oats | gingham 0 one | bag/squash
wheat | Wheat | sun 5 one | sheaf-of-rice
popcorn | Popcorn | gingham 2 one | popcorn
pasta | A nest of pasta | linen 5 trio | pasta-nest/butter
pasta-green | Green pasta | gingham 1 trio | pasta-nest/sage
pasta-plate | A plate of pasta | arch 2 one | spaghetti
coffee | A bag of coffee | linen 6 one | bag/coffee
coffee-cup | A cup of coffee and a bag | crate 0 pair | hot-beverage, bag/coffee
coffee-light | A bag of light roast | gingham 0 one | bag/maple
coffee-decaf | A bag of decaf | linen 7 one | bag/slate
cold-brew | Cold brew | linen 0 one | bottle/coffee
tea | A teapot | gingham 1 one | teapot
tea-tin | A tin of tea | linen 1 one | tin/kale
tea-herbal | A cup of herbal tea | linen 4 pair | teacup-without-handle, sprigs/lavender
cider | A jug of cider | crate 1 pair | jug/apple, red-apple
juice | A bottle of juice | sun 5 one | jug/peach
lemonade | Lemonade | gingham 5 pair | jug/butter, lemon
kombucha | A bottle of kombucha | linen 2 one | bottle/amber
shrub | A bottle of fruit shrub | arch 2 one | bottle/raspberry
soda | A cup with a straw | sun 3 one | cup-with-straw
soup-tomato | Tomato soup | gingham 2 one | bowl/tomato
soup-squash | Squash soup | linen 0 one | bowl/pumpkin
soup-green | Green soup | gingham 1 one | bowl/green
soup-cream | Creamy soup | linen 3 one | bowl/squash
stew | A pot of stew | crate 2 one | pot-of-food
chili | Chili | gingham 0 one | bowl/beef
skillet | A one-pan supper | linen 6 one | shallow-pan-of-food
casserole | A baked dish | gingham 5 one | tray/butter
casserole-red | A baked dish in red sauce | linen 2 one | tray/tomato
casserole-green | A baked dish with greens | linen 1 one | tray/green
tamales | Tamales | sun 5 trio | tamale
tacos | Tacos | gingham 2 trio | taco
burritos | Burritos | linen 5 pair | burrito
tortillas | Tortillas | crate 0 trio | flatbread~white
pizza | Pizza | gingham 2 pair | pizza
sandwiches | Sandwiches | linen 7 pair | sandwich
dumplings | Dumplings | linen 3 heap | dumpling
hummus | A tub of dip | gingham 0 one | tub/squash
dip-green | A tub of green dip | linen 1 one | tub/green
dip-cheese | A tub of cheese spread | linen 5 one | tub/pumpkin
salad-bowl | Salad for two | gingham 7 pair | green-salad
pot-pie | A pot pie | linen 0 pair | pie, carrot
custard | Custards | arch 5 one | custard
chocolate | Chocolate bars | linen 2 pair | chocolate-bar
caramels | A tin of caramels | gingham 5 one | tin/maple
bouquet | A mixed bouquet | arch 2 one | bouquet
bouquet-small | Bouquets | gingham 2 trio | bouquet
sunflowers | Sunflowers | linen 5 row | sunflower
tulips | Tulips | gingham 3 row | tulip
tulips-mixed | Tulips of many colors | linen 7 row | tulip, tulip~gold, tulip~purple
roses | Roses | arch 4 trio | rose
zinnias | Bright blossoms | sun 4 ring | rosette, hibiscus
dahlias | Dahlias | linen 2 trio | rosette
blossoms | Yellow blossoms | gingham 5 ring | blossom
cherry-branch | Cherry blossoms | linen 4 scatter | cherry-blossom
hyacinths | Hyacinths | arch 7 trio | hyacinth
dried-flowers | Dried flowers | crate 6 pair | sprigs/rose, sprigs/squash
wreath | A wreath with berries | linen 6 one | wreath/tomato
wreath-gold | A wreath in autumn colors | crate 5 one | wreath/pumpkin
evergreens | Evergreens | gingham 1 trio | evergreen-tree
houseplant | A plant in a pot | arch 1 one | potted-plant
seedlings | Seedlings | linen 1 trio | seedling
soap | A bar of soap | gingham 4 one | soap-bar/lavender
soap-oat | A bar of oat soap | linen 0 one | soap-bar/squash
soap-green | A bar of herb soap | linen 1 one | soap-bar/sage
soap-rose | A bar of rose soap | arch 4 one | soap-bar/rose
candle | Candles | linen 6 trio | candle
candle-tin | A candle in a tin | gingham 5 pair | candle, tin/honey
balm | Tins of balm | linen 4 pair | tin/lavender, tin/rose
lotion | A bottle of lotion | linen 7 one | bottle/white
yarn | Balls of wool | gingham 4 trio | yarn
sponge | A sponge and soap | linen 3 pair | sponge, soap
dog-treats | Treats for a good dog | gingham 0 pair | dog-face, bone
cat-treats | Treats for a cat | linen 2 pair | cat-face, fish
basket | A basket | crate 0 one | basket
gift-box | A gift box | sun 2 one | wrapped-gift
starter-jar | A jar of starter | linen 0 pair | jar/cream, bread
firewood | Split wood | crate 6 heap | wood
gloves | Garden gloves | gingham 1 one | gloves
chicks | Chicks | sun 5 trio | baby-chick, hatching-chick
roe | A small jar of roe | linen 2 one | jar/pepper
hummus-beet | A tub of beet dip | gingham 4 one | tub/beet
juice-green | A bottle of green juice | arch 1 one | bottle/green
juice-red | A bottle of red juice | gingham 2 one | bottle/beet
carrots-jar | A jar of pickled carrots | linen 5 pair | jar/apricot, carrot
lard | A jar of white fat | crate 6 one | jar/white
ghee | A jar of golden fat | linen 5 one | jar/butter
deli-tub | A tub from the deli case | gingham 6 one | tub/cream
grated-cheese | A tub of grated cheese | crate 5 pair | tub/squash, cheese-wedge
cottage-cheese | A tub of cottage cheese | linen 7 one | tub/white
berry-syrup | A bottle of dark berry syrup | linen 4 one | bottle/blackberry
kombucha-pink | A bottle of pink kombucha | sun 4 one | bottle/rose
kombucha-blue | A bottle of purple kombucha | linen 7 pair | bottle/blueberry, blueberries
jelly-gold | A jar of golden jelly | linen 0 one | cloth-jar/honey
jam-tomato | Tomato jam | crate 2 pair | cloth-jar/tomato, tomato
onion-jam | Onion marmalade | gingham 0 pair | cloth-jar/maple, onion
pear-butter | Pear butter | linen 1 pair | cloth-jar/squash, pear
scones | Scones | gingham 5 trio | loaf/squash
brownies | Brownies | linen 2 trio | loaf/cocoa
crackers | Crackers | crate 0 scatter | flatbread
kolaches | Filled sweet rolls | gingham 2 trio | roll
shrimp | Shrimp | linen 3 trio | shrimp
herring | A jar of herring | gingham 7 pair | jar/white, fish
peonies | Pink flowers, full and round | arch 4 trio | rose~pink
snapdragons | Tall pink flower spikes | linen 2 pair | sprigs/rose, sprigs/raspberry
lisianthus | Violet flowers | linen 7 row | tulip~purple, tulip~white
paperwhites | White flowers | arch 1 trio | blossom~white
towel | A printed tea towel | gingham 1 one | towel/tomato
kohlrabi | Kohlrabi | linen 1 pair | root-vegetable~green
shallots | Shallots | crate 2 trio | onion~pink
round-pears | Round golden pears | linen 5 trio | red-apple~gold
pawpaws | Pawpaws | crate 1 trio | mango~green
tincture | A small dark bottle | linen 6 one | bottle/amber
maple-cream | A jar of maple cream | crate 0 pair | jar/squash, maple-leaf
galette | A folded tart | crate 6 one | pie
stock-fish | A jar of fish stock | linen 3 pair | jar/squash, fish
worm-castings | A bag for the garden | linen 1 pair | bag/coffee, seedling
drip-bags | Coffee and a cup | gingham 6 pair | hot-beverage, bag/maple
fruit-leather | Apples and raspberries | gingham 2 pair | red-apple, berries/raspberry
chocolate-beans | A tin of chocolate beans | crate 2 one | tin/cocoa
cocoa-tin | A tin of cocoa | linen 2 one | tin/maple
seeds-tin | A tin of seeds | linen 5 one | tin/squash
pollen | A jar of bee pollen | sun 5 pair | jar/apricot, honeybee
honey-bear | A small jar of honey | linen 5 one | cloth-jar/honey
wraps | Wraps and wax | gingham 5 pair | towel/honey, honeybee
spoons | Kitchen tools | linen 6 pair | cooking, kitchen-knife
kitchen | A pan and a knife | linen 6 pair | cooking, kitchen-knife
shopping | Market bags | sun 3 one | shopping-bags
`;

/** name | what is seen | ground palette | motifs: pictures of posts, articles and banners, 16 : 9. */
const wides = `
wide-harvest | Vegetables on a checked cloth | gingham 1 | tomato, carrot, leafy-green, ear-of-corn, eggplant
wide-tractor | A tractor between wheat and sunflowers | sun 5 | tractor, sheaf-of-rice, sunflower, sheaf-of-rice, sunflower
wide-barn | A farmhouse with its hens | linen 1 | house-with-garden, chicken, deciduous-tree, rooster, baby-chick
wide-dairy | Cows and milk | arch 3 | cow, milk/indigo, cheese-wedge, butter, glass-of-milk
wide-bread | Bread of the morning | crate 0 | boule, croissant, baguette-bread, bread, pretzel
wide-honey | Honey and bees | sun 5 | honey-pot, honeybee, blossom, honeybee, cloth-jar/honey
wide-flowers | Flowers of the week | linen 4 | bouquet, tulip, sunflower, rose, hyacinth
wide-orchard | Apples, pears and peaches | gingham 2 | red-apple, pear, peach, cherries, grapes
wide-pasture | Sheep and goats on grass | linen 1 | ewe, goat, deciduous-tree, herb, ewe
wide-winter | Roots and squash for winter | crate 6 | pumpkin/pumpkin, carrot, butternut/squash, root-vegetable, onion
wide-kitchen | A pot on the stove | gingham 0 | pot-of-food, garlic, onion, carrot, herb
wide-mushrooms | Mushrooms | linen 6 | brown-mushroom, oyster-mushroom/kraft, lions-mane, oyster-mushroom/slate, brown-mushroom
wide-wagon | A truck with the week's orders | sun 3 | delivery-truck, basket, shopping-bags, wrapped-gift, basket
wide-coffee | Coffee and something sweet | linen 0 | hot-beverage, bag/coffee, cookie, roll, teapot
wide-berries | Berries | gingham 4 | strawberry, blueberries, berries/raspberry, cherries, berries/blackberry
wide-pantry | Jars for the shelf | crate 2 | cloth-jar/strawberry, jar/pickle, jar/tomato, bottle/maple, cloth-jar/blueberry
wide-eggs | Hens and eggs | linen 5 | chicken, carton/kraft, egg, baby-chick, rooster
wide-seedlings | Seedlings in spring | arch 1 | seedling, pot-herb/green, herb, seedling, gloves
wide-market | A farmer with a full crate | sun 1 | farmer, basket, tomato, bread, bouquet
wide-snow | Evergreens and snow | linen 7 | evergreen-tree, snowflake, wreath/tomato, candle, snowflake
`;

const numbers = (text: string): [string, number, string | undefined] => {
  const [ground = "", palette = "0", layout] = text.split(" ");
  return [ground, Number(palette), layout];
};

function rows(table: string): string[][] {
  return table
    .trim()
    .split("\n")
    .map((line) => line.split("|").map((cell) => cell.trim()));
}

/** Every picture the demo market shares, in the order they are written above. */
export const namedRecipes: readonly NamedRecipe[] = [
  ...rows(stills).map(([key = "", alt = "", look = "", motifs = ""]) => {
    const [ground, palette, layout] = numbers(look);
    return {
      key,
      alt,
      recipe: recipeSchema.parse({ kind: "still", ground, palette, layout, motifs: motifs.split(", ") }),
    };
  }),
  ...rows(wides).map(([key = "", alt = "", look = "", motifs = ""]) => {
    const [ground, palette] = numbers(look);
    return { key, alt, recipe: recipeSchema.parse({ kind: "wide", ground, palette, motifs: motifs.split(", ") }) };
  }),
];
