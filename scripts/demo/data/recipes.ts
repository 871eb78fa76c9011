import { initials, vendorColor } from "@marketday/domain/picture";

import { grounds, layouts, type Recipe } from "../drawing/recipe.ts";
import { vendorPlans } from "./vendors.ts";

/** What a picture of the demo shows; products, collections and posts refer to it by `key`. */
export interface NamedRecipe {
  key: string;
  alt: string;
  recipe: Recipe;
}

/** key | alt text | ground palette layout | motifs, the first one in front. */
const stills = `
tomatoes-red | A heap of red tomatoes | gingham 2 heap | tomato
tomatoes-gold | Yellow tomatoes on planks | crate 0 heap | tomato~gold
tomatoes-mixed | Red, yellow and purple tomatoes in a crate | linen 5 crate | tomato, tomato~gold, tomato~purple
tomatoes-dark | Purple-black tomatoes | arch 4 trio | tomato~purple
tomatoes-green | Green tomatoes | linen 1 trio | tomato~green
peppers-green | Green bell peppers | gingham 1 heap | bell-pepper
peppers-mixed | Red, yellow and green peppers | sun 5 trio | bell-pepper, bell-pepper~gold, bell-pepper~red
peppers-hot | Hot red peppers | crate 2 ring | hot-pepper
cucumbers | Sliced cucumbers | gingham 3 trio | cucumber
zucchini | Zucchini | crate 1 trio | zucchini/kale
squash-yellow | Yellow summer squash | linen 5 trio | zucchini/butter
squash-mixed | Green and yellow summer squash in a crate | arch 1 crate | zucchini/kale, zucchini/butter
eggplant | Eggplants | linen 4 pair | eggplant
eggplant-heap | A heap of eggplants | gingham 4 heap | eggplant
okra | Okra pods | crate 1 pair | okra/green
corn | Sweet corn | arch 1 row | ear-of-corn
corn-crate | A crate of sweet corn | sun 5 crate | ear-of-corn
beans-green | Green beans | linen 1 pair | green-beans/green
peas | Peas in their pods | gingham 1 scatter | pea-pod
carrots | Orange carrots | crate 6 row | carrot
carrots-rainbow | Orange, yellow and purple carrots | linen 0 row | carrot, carrot~gold, carrot~purple
beets | Red beets with their tops | linen 2 trio | root-vegetable
beets-gold | Golden beets | crate 5 trio | root-vegetable~gold
radishes | French breakfast radishes | gingham 3 heap | bulb/rose
turnips | Purple top turnips | linen 6 trio | bulb/lavender
potatoes | Brown potatoes | crate 0 heap | potato
potatoes-mixed | Gold and purple potatoes in a crate | linen 6 crate | potato, potato~gold, potato~purple
potatoes-red | Red potatoes | gingham 6 heap | potato~red
potatoes-gold | Yellow potatoes | linen 5 heap | potato~gold
sweet-potatoes | Sweet potatoes | crate 2 trio | roasted-sweet-potato
onions | Yellow onions | crate 5 heap | onion
onions-red | Red onions | linen 4 heap | onion~purple
scallions | A bunch of scallions | gingham 7 one | leek
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
collards | Broad collard leaves | arch 1 one | bunch/sage
spinach | Leaves of spinach | linen 1 trio | leaves/kale
microgreens | A tray of microgreens | linen 7 one | sprouts/green
microgreens-red | A tray of red microgreens | arch 4 one | sprouts/beet
pea-shoots | Pea shoots | gingham 1 one | sprouts/kale
herbs | Fresh green herbs | linen 1 trio | herb
basil | Basil in a pot | arch 1 one | pot-herb/green
rosemary | A pot of rosemary | linen 6 one | pot-herb/sage
mint | Sprigs of spearmint | gingham 1 ring | herb
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
delicata | Striped delicata squash | gingham 5 pair | oval-squash/squash
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
berries-mixed | A mixed flat of berries | sun 3 scatter | strawberry, blueberries, berries/raspberry
grapes | Bunches of purple grapes | arch 4 pair | grapes
melon | A cantaloupe | crate 1 one | melon
watermelon | Slices of watermelon | sun 1 pair | watermelon
chestnuts | Chestnuts | crate 2 heap | chestnut
persimmons | Persimmons | linen 2 trio | tangerine
fruit-crate | A crate of orchard fruit | crate 2 crate | red-apple, pear, peach, grapes
eggs-brown | A carton of brown eggs | linen 5 one | carton/kraft
eggs-heap | A heap of brown eggs | gingham 5 heap | egg
eggs-blue | A carton of pale blue eggs | arch 3 one | carton/sky
eggs-white | A carton of white eggs | linen 7 one | carton/white
eggs-mixed | Eggs of many shades | crate 0 heap | egg, egg~white, egg~blue
eggs-duck | A carton of duck eggs | linen 3 pair | carton/cream, egg~white
chicken-cuts | Packed chicken | gingham 6 one | pack/poultry
chicken-legs | Drumsticks on a plate | gingham 0 plate | poultry-leg
turkey | A whole turkey | arch 0 one | bird/apple
duck | A whole duck | linen 3 one | bird/trout
beef-steak | Steaks on a plate | crate 2 plate | cut-of-meat
beef-cut | A cut of beef | linen 6 one | cut-of-meat
beef-ground | Packed ground beef | gingham 2 one | pack/beef
roast | A tied chuck roast | arch 2 one | roast/beef
pork-cut | Packed pork | linen 2 one | pack/pork
bacon | Bacon | crate 5 pair | bacon
bacon-plate | Bacon on a plate | gingham 0 plate | bacon
sausage | Links of sausage | crate 0 one | sausage/pork
sausage-smoked | Smoked sausages | linen 6 one | sausage/amber
sausage-hot | Hot sausage in red links | sun 2 one | sausage/beef
lamb | Packed lamb with herbs | linen 1 pair | pack/raspberry, sprigs/sage
lamb-cut | Packed lamb | arch 1 one | pack/raspberry
goat | Packed goat meat for stew | crate 1 pair | pack/coffee, onion
bison | Bison burgers | linen 5 plate | patty/beef
bison-pack | Packed bison | linen 5 one | pack/beet
jerky | Strips of jerky | crate 6 one | jerky/amber
broth | A jar of broth | linen 0 one | jar/amber
bones | Soup bones | linen 3 pair | bone
fish-salmon | A fillet of salmon | gingham 7 one | fillet/salmon
fish-trout | A fillet of trout | linen 3 one | fillet/trout
fish-whole | Whole fish | arch 7 pair | fish
milk | A bottle of milk | gingham 7 one | milk/indigo
milk-glass | A bottle and a glass of milk | linen 3 pair | milk/tomato, glass-of-milk
milk-chocolate | Chocolate milk | linen 2 one | milk/cocoa
cream | A bottle of cream | arch 5 one | milk/butter
yogurt | A tub of yogurt | linen 7 one | tub/sky
yogurt-berry | A tub of berry yogurt | gingham 4 pair | tub/rose, strawberry
yogurt-honey | A tub of honey yogurt | sun 5 pair | tub/honey, honey-pot
kefir | A bottle of kefir | linen 1 one | milk/green
butter | Butter | gingham 5 one | butter
butter-herb | Butter with herbs | linen 1 pair | butter, herb
cheese-soft | A round soft cheese | linen 3 one | round-cheese/white
cheese-goat | A log of fresh chèvre | gingham 1 one | cheese-log/white
cheese-blue | A wedge of creamy blue cheese | arch 7 one | blue-cheese/cream
cheese-board | A plate of cheese | crate 5 plate | cheese-wedge, cheese-log/white, wheel/butter
curds | Cheese curds | linen 0 one | tub/butter
cream-cheese | A tub of soft cheese | gingham 1 one | tub/green
ice-cream | Scoops of ice cream | sun 4 one | ice-cream
ice-cream-tub | A tub of ice cream | gingham 4 one | tub/rose
popsicles | Fruit ice pops | sun 3 trio | popsicle/strawberry, popsicle/peach, popsicle/blueberry
bread-boule | A round sourdough loaf | crate 0 one | boule
bread-boules | Sourdough loaves stacked | linen 0 trio | boule
bread-loaf | A loaf of sandwich bread | linen 6 one | bread
bread-dark | A dark rye loaf | crate 6 one | loaf/coffee
bread-wheat | A whole wheat loaf | gingham 0 one | loaf/kraft
bread-brioche | A golden loaf | arch 5 one | loaf/butter
baguettes | A baguette | linen 7 row | baguette-bread
rolls | Soft rolls | gingham 0 heap | loaf/squash
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
cupcakes | Cupcakes | sun 4 trio | cupcake
granola | A bag of granola | linen 6 one | bag/honey
waffles | Waffles | gingham 5 trio | waffle
pancake-mix | Pancakes and a bag of mix | linen 5 pair | pancakes, bag/butter
honey | A honey pot | sun 5 one | honey-pot
honey-jar | A jar of honey | gingham 5 one | jar/honey
honey-dark | A jar of dark honey | arch 0 one | jar/amber
honeycomb | A cut comb of honey | arch 5 one | honeycomb/honey
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
vinegar | A bottle of raspberry vinegar | linen 2 pair | bottle/raspberry, berries/raspberry
oil | A bottle of oil | arch 5 one | bottle/honey
nut-butter | A jar of nut butter | crate 0 pair | jar/apple, peanuts
spice-tin | Tins of spice | linen 0 pair | tin/pepper, tin/kale
salt-tin | Tins of herb salt | gingham 6 one | tin/sage
dry-beans | Dry beans | linen 5 heap | beans
flour | A bag of flour | linen 6 pair | bag/white, sheaf-of-rice
cornmeal | A bag of cornmeal | crate 5 pair | bag/butter, ear-of-corn
oats | A bag of oats | gingham 0 one | bag/squash
wheat | Wheat | sun 5 one | sheaf-of-rice
popcorn | Popcorn | gingham 2 one | popcorn
pasta | Nests of pasta | linen 5 trio | pasta-nest/butter
pasta-green | Green nests of spinach linguine | gingham 1 trio | pasta-nest/sage
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
lemonade | Lemonade | gingham 5 pair | jug/butter, lemon
kombucha | A bottle of kombucha | linen 2 one | bottle/amber
shrub | A bottle of fruit shrub | arch 2 one | bottle/raspberry
soup-tomato | Tomato soup | gingham 2 one | bowl/tomato
soup-squash | Squash soup | linen 0 one | bowl/pumpkin
soup-green | Green soup | gingham 1 one | bowl/green
soup-cream | Creamy soup | linen 3 one | bowl/squash
stew | A pot of stew | crate 2 one | pot-of-food
chili | Chili | gingham 0 one | bowl/beef
skillet | A one-pan supper | linen 6 one | shallow-pan-of-food
casserole | A baked dish | gingham 5 one | tray/butter
tamales | Tamales | sun 5 trio | tamale
tacos | Tacos | gingham 2 trio | taco
burritos | Burritos | linen 5 pair | burrito
tortillas | Tortillas | crate 0 trio | flatbread~white
pizza | Pizza | gingham 2 pair | pizza
sandwiches | Sandwiches | linen 7 pair | sandwich
dumplings | Dumplings | linen 3 heap | dumpling
hummus | A tub of hummus | gingham 0 one | tub/squash
dip-green | A tub of green dip | linen 1 one | tub/green
dip-cheese | A tub of cheese spread | linen 5 one | tub/pumpkin
salad-bowl | Salad for two | gingham 7 pair | green-salad
pot-pie | A pot pie | linen 0 pair | pie, carrot
custard | Butterscotch pudding | arch 5 one | custard
chocolate | Chocolate bars | linen 2 pair | chocolate-bar
caramels | Sea salt caramels in a tin | gingham 5 pair | tin/maple, block/maple
bouquet | A mixed bouquet | arch 2 one | bouquet
bouquet-small | Bouquets | gingham 2 trio | bouquet
sunflowers | Sunflowers | linen 5 row | sunflower
tulips | Tulips | gingham 3 row | tulip
tulips-mixed | Tulips of many colors | linen 7 row | tulip, tulip~gold, tulip~purple
roses | Roses | arch 4 trio | rose
zinnias | Zinnia blossoms in bright colors | sun 4 ring | rosette, hibiscus
dahlias | Dahlias | linen 2 trio | rosette
cherry-branch | Flowering cherry branches | linen 4 scatter | cherry-blossom
hyacinths | Hyacinths | arch 7 trio | hyacinth
dried-flowers | Dried flowers | crate 6 pair | sprigs/rose, sprigs/squash
wreath | A wreath with berries | linen 6 one | wreath/tomato
wreath-gold | A wreath in autumn colors | crate 5 one | wreath/pumpkin
evergreens | An evergreen swag | gingham 1 pair | sprigs/kale, sprigs/green
houseplant | A plant in a pot | arch 1 one | potted-plant
soap | A bar of soap | gingham 4 one | soap-bar/lavender
soap-oat | A bar of oat soap | linen 0 one | soap-bar/squash
soap-green | A bar of herb soap | linen 1 one | soap-bar/sage
soap-rose | A bar of rose soap | arch 4 one | soap-bar/rose
candle-tin | A candle in a tin | gingham 5 pair | candle, tin/honey
balm | Tins of balm | linen 4 pair | tin/lavender, tin/rose
lotion | A bottle of lotion | linen 7 one | bottle/white
yarn | Balls of wool | gingham 4 trio | yarn
sponge | A sponge and soap | linen 3 pair | sponge, soap
dog-treats | Biscuits for dogs | gingham 0 pair | bag/squash, bone~orange
cat-treats | Dried trout, treats for a cat | linen 2 pair | bag/sky, fish
basket | A basket | crate 0 one | basket
gift-box | A gift box | sun 2 one | wrapped-gift
starter-jar | A jar of starter | linen 0 pair | jar/cream, bread
gloves | Garden gloves | gingham 1 one | gloves
roe | A small jar of roe | arch 7 one | jar/pepper
hummus-beet | A tub of beet dip | gingham 4 one | tub/beet
juice-green | A bottle of green juice | arch 1 one | bottle/green
juice-red | A bottle of red juice | gingham 2 one | bottle/beet
carrots-jar | A jar of pickled carrots | linen 5 pair | jar/apricot, carrot
lard | A jar of rendered lard | crate 6 one | jar/white
ghee | A jar of ghee | linen 5 one | jar/butter
grated-cheese | A tub of grated cheese | crate 5 pair | tub/squash, cheese-wedge
cottage-cheese | A tub of cottage cheese | linen 7 one | tub/white
berry-syrup | A bottle of dark berry syrup | linen 4 one | bottle/blackberry
kombucha-pink | A bottle of pink kombucha | sun 4 one | bottle/rose
kombucha-blue | A bottle of purple kombucha | linen 7 pair | bottle/blueberry, blueberries
jelly-gold | A jar of golden jelly | linen 0 one | cloth-jar/honey
jam-tomato | Tomato jam | crate 2 pair | cloth-jar/tomato, tomato
onion-jam | Onion marmalade | gingham 0 pair | cloth-jar/maple, onion
pear-butter | Pear butter | linen 1 pair | cloth-jar/squash, pear
scones | Scones | gingham 5 trio | scone/squash
brownies | Fudge brownies | crate 2 trio | block/cocoa
crackers | Crackers | crate 0 trio | crackers/squash
shrimp | Shrimp | linen 3 trio | shrimp
herring | A jar of herring | gingham 7 pair | jar/white, fish
peonies | Peony flowers, pink and full | arch 4 trio | rose~pink
snapdragons | Snapdragons in pink spikes | linen 2 pair | sprigs/rose, sprigs/raspberry
lisianthus | Lisianthus in violet and white | linen 7 row | tulip~purple, tulip~white
paperwhites | Paperwhites in bloom | arch 1 trio | blossom~white
towel | A printed tea towel | gingham 1 one | towel/tomato
kohlrabi | Kohlrabi | linen 1 pair | bulb/green
shallots | Shallots | crate 2 trio | onion~pink
round-pears | Round golden pears | linen 5 trio | red-apple~gold
pawpaws | Pawpaws | crate 1 trio | mango~green
tincture | A small dark bottle of tincture | linen 6 one | bottle/amber
maple-cream | A jar of maple cream | crate 0 pair | jar/squash, maple-leaf
stock-fish | A jar of fish stock | linen 3 pair | jar/squash, fish
worm-castings | A bag of worm castings for the garden | linen 1 pair | bag/coffee, seedling
drip-bags | Single-serve coffee bags and a cup | gingham 6 pair | hot-beverage, bag/maple
fruit-leather | Rolls of fruit leather | gingham 2 pair | jerky/raspberry, red-apple
chocolate-beans | A tin of chocolate beans | crate 2 one | tin/cocoa
cocoa-tin | A tin of cocoa | linen 2 one | tin/maple
seeds-tin | Roasted sunflower seeds | linen 5 pair | tin/squash, sunflower
pollen | A jar of bee pollen | sun 5 pair | jar/apricot, blossom
honey-bear | A small jar of honey | linen 5 one | cloth-jar/honey
wraps | Food wraps of beeswax cloth | gingham 5 pair | towel/honey, towel/sage
spoons | A wooden spoon | linen 6 pair | spoon/squash, spoon/apple
shopping | Market bags | sun 3 one | shopping-bags
bread-raisin | A loaf of cinnamon raisin bread | crate 2 one | loaf/maple
buns | Burger buns | gingham 5 trio | bun/honey
focaccia | Focaccia with herbs | linen 4 pair | flatbread, herb
naan | Naan, still warm | sun 2 pair | flatbread
english-muffins | English muffins | crate 1 trio | patty/cream
sticky-buns | Sticky pecan buns | arch 4 ring | roll
kolaches-apricot | Kolaches filled with apricot | sun 2 pair | roll, plum/apricot
shortbread | Lemon shortbread | sun 5 pair | cookies/butter, lemon
shortcake | Strawberry shortcake | arch 0 pair | shortcake, strawberry
pie-pumpkin | A pumpkin pie | linen 0 pair | pie, pumpkin/pumpkin
pie-pecan | A pecan pie | crate 7 pair | pie, nuts/amber
pie-cream | A sugar cream pie | sun 3 pair | pie, glass-of-milk
quiche-spinach | A quiche with spinach | gingham 1 pair | pie, leaves/kale
galette-mushroom | A mushroom galette | crate 5 pair | pie, brown-mushroom
cheddar-aged | A wedge of aged cheddar | sun 1 one | cheese-wedge
cheddar-mild | Wedges of mild cheddar | linen 2 trio | cheese-wedge
cheddar-smoked | Smoked cheddar beside the wood | crate 4 pair | cheese-wedge, wood
cheddar-cloth | A clothbound wheel of cheddar | sun 0 one | wheel/kraft
gouda | A wheel of gouda | linen 3 one | wheel/honey
gouda-aged | An aged wheel of gouda | linen 2 one | wheel/maple
alpine | A cave-aged alpine cheese | arch 5 pair | wheel/amber, cheese-wedge
havarti | Havarti | sun 2 pair | wheel/butter, cheese-wedge
pepper-jack | Pepper jack with a hot pepper | linen 7 pair | cheese-wedge, hot-pepper
swiss | Wedges of baby Swiss | gingham 3 heap | cheese-wedge
feta | A tub of feta in brine | linen 4 one | tub/sage
mozzarella | Fresh mozzarella and a tomato | arch 6 pair | round-cheese/white, tomato
mozzarella-smoked | Smoked mozzarella | sun 1 one | round-cheese/squash
ricotta | A tub of ricotta | sun 6 pair | tub/white, glass-of-milk
chevre-herbs | A log of chèvre in herbs | arch 6 pair | cheese-log/sage, herb
tomme | An aged goat tomme with nuts | crate 1 pair | wheel/kraft, chestnut
goat-ash | A goat round in its coat of ash | arch 4 one | wheel/slate
pecorino | A wheel of pecorino with a pear | gingham 3 pair | wheel/squash, pear
board-for-four | A board of cheese for four | linen 5 plate | cheese-wedge, blue-cheese/cream, wheel/butter
half-and-half | A bottle of half and half | linen 3 one | milk/honey
buttermilk | A bottle of buttermilk | linen 7 pair | milk/squash, butter
eggnog | A bottle of eggnog | arch 4 pair | milk/mustard, egg~white
sour-cream | A tub of sour cream | arch 4 one | tub/slate
creme-fraiche | A tub of crème fraîche | sun 7 one | tub/lavender
ice-cream-pecan | Brown butter pecan ice cream | linen 3 pair | ice-cream, nuts/amber
coffee-house | A bag of the house blend | linen 5 one | bag/cocoa
coffee-french | A bag of French roast | crate 2 pair | bag/coffee, croissant
coffee-ethiopia | A bag of coffee from Ethiopia | arch 2 one | bag/raspberry
coffee-guatemala | A bag of coffee from Guatemala | gingham 6 one | bag/kale
coffee-colombia | A bag of coffee from Colombia | crate 2 one | bag/mustard
coffee-sumatra | A bag of coffee from Sumatra | sun 5 one | bag/indigo
coffee-espresso | A cup of espresso | gingham 0 pair | hot-beverage, bag/beet
tea-nettle | Nettle and lemon balm tea | crate 2 pair | teapot, herb
tea-breakfast | Breakfast tea | arch 6 pair | teapot, teacup-without-handle
tea-grey | A tin of Earl Grey | gingham 5 pair | tin/slate, teacup-without-handle
chai | A bottle of chai | crate 3 pair | bottle/maple, teacup-without-handle
root-beer | A bottle of root beer | sun 5 one | bottle/cocoa
ginger-beer | A bottle of ginger beer | gingham 5 pair | bottle/butter, ginger-root
steelhead | A portion of steelhead | crate 3 one | fillet/apricot
sockeye | A side of sockeye | sun 3 pair | fillet/salmon, lemon
perch | Lake perch fillets | sun 3 pair | fillet/cream, fish
catfish | Catfish fillets | crate 1 pair | fillet/white, lemon
fish-cakes | Fish cakes with lemon | arch 1 pair | patty/squash, lemon
seeds-zinnia | Zinnia seeds and what comes of them | crate 3 pair | bag/rose, rosette
wildflowers | A jar of wildflowers | gingham 1 pair | jar/cream, blossom
mini-tree | A mini tree | gingham 2 one | evergreen-tree
fern | A potted fern | linen 3 pair | potted-plant, herb
pothos | A pothos in its pot | gingham 3 one | potted-plant
herb-planter | A kitchen planter of herbs | gingham 2 trio | pot-herb/green, pot-herb/sage, pot-herb/kale
starts-tomato | Tomato starts | crate 1 pair | seedling, tomato
starts-pepper | Pepper starts | sun 2 pair | seedling, bell-pepper
starts-herb | Herb starts | crate 3 pair | seedling, herb
apple-sampler | One apple of each kind | gingham 3 trio | red-apple, green-apple, red-apple~gold
apples-sauce | Apples for sauce, seconds | sun 3 crate | red-apple, red-apple~gold
nectarines | Nectarines | arch 1 trio | peach~red
apple-rings | Dried apple rings in a bag | gingham 5 pair | bag/cream, red-apple
grits | A bag of grits | arch 4 pair | bag/cream, ear-of-corn
polenta | A bag of polenta | linen 1 pair | bag/mustard, ear-of-corn
farro | A bag of farro | crate 5 pair | bag/kraft, sheaf-of-rice
fettuccine | Nests of fettuccine | linen 3 trio | pasta-nest/butter
pappardelle | Nests of pappardelle | crate 3 pair | pasta-nest/squash
tagliatelle | Tagliatelle with lemon | sun 5 pair | pasta-nest/butter, lemon
ravioli-ricotta | Ricotta ravioli | linen 5 pair | ravioli/butter, tub/white
ravioli-butternut | Butternut ravioli | sun 0 pair | ravioli/squash, butternut/squash
tortelloni | Tortelloni with mushrooms | linen 2 pair | dumpling, brown-mushroom
gnocchi | Potato gnocchi | sun 4 pair | nuts/butter, potato
egg-noodles | Nests of egg noodles | sun 2 pair | pasta-nest/mustard, egg
rigatoni | A bag of dried rigatoni | arch 6 pair | bag/butter, sheaf-of-rice
lasagna-sheets | A bag of lasagna sheets | linen 7 pair | bag/squash, tomato
ragu | A jar of meat ragù | linen 7 pair | jar/tomato, cut-of-meat
microgreens-cilantro | A tray of cilantro microgreens | gingham 1 one | sprouts/sage
wheatgrass | A living tray of wheatgrass | arch 4 one | sprouts/green
micro-arugula | A tray of micro arugula | crate 5 one | sprouts/mustard
spring-mix | Leaves of a spring mix | arch 4 trio | leaves/green, leaves/raspberry, leaves/pickle
arugula | A heap of baby arugula | gingham 6 trio | leaves/green
spinach-baby | Tender baby spinach | crate 1 pair | leaves/kale
watercress | A bunch of watercress | gingham 0 one | bunch/kale
mizuna | A bunch of mizuna | sun 7 one | bunch/mustard
braising-mix | Leaves of a braising mix | linen 1 crate | bunch/green, bunch/raspberry, leafy-green
basil-cut | Cut basil | crate 5 trio | herb
parsley | A bunch of flat parsley | sun 1 one | bunch/green
cilantro | A bunch of cilantro | crate 2 pair | herb, lime
dill | Sprigs of dill | gingham 7 pair | sprigs/green
thyme | Sprigs of thyme | crate 4 one | sprigs/sage
sage | Leaves of sage | arch 6 pair | leaves/sage
chives | A bunch of chives | sun 4 one | chives/kale
herb-trio | Three kitchen herbs in pots | crate 1 trio | pot-herb/kale, pot-herb/green, pot-herb/sage
edible-flowers | Edible flowers | gingham 7 scatter | blossom, hibiscus, rosette
salve | A tin of hand salve | gingham 7 one | tin/lavender
candle-frost | A soy candle in a tin | linen 5 pair | candle, tin/sky
cutting-board | A cherry cutting board | linen 2 one | board/apple
kindling | A bundle of kindling | arch 3 one | wood
firewood-oak | Split oak firewood | sun 3 stack | wood
dog-chews | Sweet potato chews for a dog | linen 7 pair | bag/pumpkin, roasted-sweet-potato
catnip | A toy mouse with catnip | linen 1 pair | toy-mouse/slate, herb
candle-beeswax | A beeswax candle | linen 7 one | candle~orange
tapers | A pair of beeswax tapers | gingham 4 pair | candle~orange
maple-candies | A tin of maple candies | sun 0 pair | tin/maple, maple-leaf
strip-steak | A New York strip | linen 5 one | cut-of-meat
sirloin | A sirloin steak | crate 2 pair | cut-of-meat, garlic
filet | A pair of filet mignon | sun 2 pair | cut-of-meat
flank | A flank steak | gingham 5 plate | cut-of-meat
skirt-steak | A skirt steak with onion | crate 2 pair | cut-of-meat, onion
flat-iron | A flat iron steak | arch 7 pair | cut-of-meat, kitchen-knife
brisket | A packed brisket | arch 0 one | pack/tomato
short-ribs | Short ribs on the bone | gingham 5 one | ribs/beef
osso-buco | A cross-cut shank for osso buco | crate 2 pair | meat-on-bone, carrot
oxtail | Oxtail, packed, with a carrot | linen 3 pair | pack/tomato, carrot
patties | Burger patties | crate 5 trio | patty/beef
pork-ribs | Baby back ribs | crate 1 one | ribs/pork
ham-steak | A packed ham steak | arch 3 one | pack/rose
ham | Half a smoked ham | arch 1 one | meat-on-bone
pork-belly | Packed pork belly | gingham 2 pair | pack/rose, bacon
ham-hocks | Ham hocks | arch 0 pair | meat-on-bone, beans
bratwurst | Links of bratwurst | sun 0 one | sausage/cream
chorizo | Links of fresh chorizo | arch 0 one | sausage/pepper
andouille | Smoked andouille | sun 7 one | sausage/maple
summer-sausage | A summer sausage | crate 3 pair | sausage/beet, cheese-wedge
hot-dogs | Hot dogs of all beef | gingham 6 pair | sausage/rose
snack-sticks | Snack sticks | crate 1 one | jerky/maple
leg-of-lamb | A tied leg of lamb | linen 1 pair | roast/tomato, garlic
merguez | Links of merguez | linen 4 one | sausage/raspberry
tallow | A jar of beef tallow | crate 1 pair | jar/white, potato
shiitake | Shiitake | arch 1 trio | brown-mushroom
cremini | A heap of cremini | gingham 5 heap | brown-mushroom
king-trumpet | King trumpet mushrooms | sun 1 trio | oyster-mushroom/cream
maitake | A cluster of maitake | gingham 7 one | oyster-mushroom/maple
lions-mane-cakes | Cakes of lion's mane | linen 1 pair | patty/squash, lions-mane
bolognese | A jar of mushroom bolognese | linen 1 pair | jar/tomato, brown-mushroom
mushroom-pate | A tub of mushroom pâté | arch 7 pair | tub/maple, brown-mushroom
mushrooms-jar | A jar of marinated mushrooms | sun 0 pair | jar/honey, brown-mushroom
cordyceps | A tin of dried cordyceps | sun 6 pair | tin/pumpkin, oyster-mushroom/honey
dill-spears | A jar of dill spears | arch 0 pair | jar/pickle, herb
dilly-beans | A jar of dilly beans | sun 4 pair | jar/green, green-beans/green
kraut-caraway | A jar of caraway kraut | arch 3 pair | jar/kraut, cabbage/green
kraut-beet | A jar of beet and ginger kraut | gingham 5 pair | jar/beet, ginger-root
curtido | A jar of curtido | linen 5 pair | jar/kraut, carrot
marinara | A jar of marinara | gingham 1 pair | jar/tomato, garlic
ketchup | A bottle of ketchup | gingham 5 pair | bottle/tomato, tomato
paprika | A tin of smoked paprika | arch 7 pair | tin/pepper, bell-pepper~red
steak-rub | A tin of steak rub | arch 7 pair | tin/coffee, cut-of-meat
oregano | A tin of dried oregano | gingham 0 pair | tin/kale, herb
everything | A tin of everything seasoning | crate 7 pair | tin/squash, bagel
pecans | A bag of candied pecans | sun 2 pair | bag/maple, nuts/amber
kettle-corn | Kettle corn | linen 1 pair | popcorn, bag/honey
chicken-four | A whole chicken | crate 0 pair | lemon, bird/poultry
chicken-five | A whole chicken with herbs | sun 6 pair | herb, bird/poultry
chicken-thighs | Packed chicken thighs | gingham 1 pair | pack/poultry, poultry-leg
chicken-wings | Chicken wings | arch 6 plate | poultry-leg, hot-pepper
chicken-backs | Packed chicken backs and bones | crate 4 pair | pack/poultry, bone
chicken-half | Half a chicken, packed | gingham 4 pair | pack/poultry, herb
turkey-ground | Packed ground turkey | arch 6 pair | pack/poultry, garlic
turkey-legs | Smoked turkey legs | arch 7 pair | poultry-leg, wood
rabbit | A packed rabbit with carrots | crate 1 pair | pack/cream, carrot
chili-white | White chicken chili | crate 5 pair | bowl/cream, hot-pepper~green
pozole | A bowl of pozole | gingham 7 pair | bowl/pepper, lime
shepherds-pie | A shepherd's pie | gingham 4 pair | tray/squash, potato
lasagna | A slice of lasagna with sausage | arch 3 one | lasagna/tomato
lasagna-spinach | A slice of lasagna with spinach | sun 0 one | lasagna/green
mac-and-cheese | A tray of mac and cheese | crate 3 pair | tray/butter, cheese-wedge
enchiladas | A tray of enchiladas | linen 2 pair | tray/green, hot-pepper~green
eggplant-parmesan | A tray of eggplant parmesan | arch 5 pair | tray/tomato, eggplant
pierogi | Pierogi | arch 4 pair | dumpling, onion
curry | Chicken curry with rice | arch 4 one | curry-rice
jambalaya | A pan of jambalaya | crate 5 pair | shallow-pan-of-food, shrimp
meatloaf | A whole meatloaf | arch 4 pair | loaf/beef, potato
guacamole | A tub of guacamole | linen 0 pair | tub/green, lime
egg-salad | A tub of egg salad | crate 6 pair | tub/butter, egg
chicken-salad | A tub of chicken salad with grapes | gingham 6 pair | tub/cream, grapes
overnight-oats | A tub of overnight oats with apple | arch 3 pair | tub/honey, green-apple
jalapenos | Green jalapeños | arch 5 heap | hot-pepper~green
shishito | Shishito peppers | crate 5 scatter | hot-pepper~green
dragon-beans | Dragon tongue beans | arch 2 one | streaked-beans/butter
kuri | Red kuri squash | linen 5 pair | pumpkin/pepper
farm-box | A small farm box | arch 1 crate | leafy-green, carrot, tomato
farm-box-family | A farm box for a family | gingham 1 crate | potato, ear-of-corn, leafy-green, red-apple
soup-box | A box of roots for soup | linen 0 crate | carrot, onion, potato
poultry-whole | A whole chicken | linen 5 one | bird/poultry
chicken-stewing | A stewing hen | sun 0 one | bird/squash
turkey-breast | A turkey breast | linen 2 one | roast/poultry
duck-breast | Packed duck breast | crate 6 one | pack/trout
eggs-quail | Speckled quail eggs | gingham 1 pair | quail-eggs/cream
beef-sampler | Cuts of beef | linen 1 pair | cut-of-meat, pack/beef
pork-sampler | Cuts of pork from one whole hog | gingham 4 pair | roast/pork, pack/pork
roast-pork | A tied pork shoulder roast | crate 5 one | roast/pork
milk-cream | Milk, cream and butter | sun 1 trio | milk/indigo, milk/butter, butter
chevre-honey | A log of chèvre with honey | sun 5 pair | cheese-log/cream, honey-pot
halloumi | A block of grilling cheese | linen 3 one | block/cream
rolls-dinner | Dinner rolls | linen 5 heap | bun/squash
bread-gluten-free | A gluten-free seed loaf | gingham 1 one | loaf/apple
cake-carrot | A carrot cake | linen 6 pair | block/pumpkin, carrot
cake-almond | An almond cake with almonds | gingham 2 pair | patty/butter, nuts/kraft
ice-cream-caramel | A tub of caramel ice cream | arch 2 pair | tub/maple, ice-cream
ice-cream-peach | A tub of peach ice cream | gingham 2 pair | tub/peach, peach
almond-butter | A jar of almond butter | linen 6 pair | jar/kraft, nuts/kraft
honey-shelf | Honey and syrup | linen 5 trio | honey-pot, cloth-jar/honey, bottle/maple
dog-bones | Bones for dogs | crate 2 pair | bone
dog-liver | Beef liver dog treats | linen 2 pair | bag/beef, jerky/coffee
cat-chicken | Chicken treats for a cat | crate 3 pair | bag/poultry, poultry-leg
pizza-margherita | A pizza margherita | linen 1 one | margherita
soup-noodle | A bowl of chicken noodle soup | linen 5 pair | bowl/squash, pasta-nest/butter
soup-broccoli | A bowl of broccoli soup | crate 1 pair | bowl/pickle, broccoli
tortillas-corn | Corn tortillas | sun 5 trio | flatbread~tan
fish-white | Mild white fillets of fish | gingham 3 one | fillet/cream
fish-smoked | Smoked trout | crate 7 one | fillet/maple
beans-black | Black turtle beans | linen 6 trio | beans~black
beans-white | Cannellini beans | gingham 2 trio | beans~white
beans-pinto | Pinto beans | crate 0 trio | beans~tan
beans-cattle | Jacob's cattle beans, white and red | sun 6 heap | beans, beans~white
beans-eye | Tiger's eye beans | arch 5 trio | beans~gold
beans-mixed | A mix of beans for soup | gingham 1 heap | beans, beans~black, beans~white, beans~gold
cornmeal-blue | A bag of blue cornmeal | linen 7 pair | bag/indigo, ear-of-corn~blue
popcorn-kernels | A bag of popcorn | crate 3 pair | bag/butter, popcorn
popcorn-cob | Popcorn on the cob | arch 5 pair | ear-of-corn, popcorn
tea-tulsi | Tulsi and ginger tea | linen 1 pair | teacup-without-handle, ginger-root
tea-elderflower | Elderflower tea | sun 1 pair | teacup-without-handle, blossom~white
seeds-tomato | A packet of tomato seeds | arch 0 pair | bag/beet, tomato~purple
yarn-natural | Natural wool yarn | linen 3 trio | yarn~white
dryer-balls | Wool dryer balls | gingham 7 row | yarn~white
salsa-peach | A jar of peach salsa | sun 2 pair | jar/peach, peach
vinegar-cider | A bottle of apple cider vinegar | crate 0 pair | bottle/honey, red-apple
cider-cherry | A jug of cherry cider | gingham 2 pair | jug/strawberry, cherries
cabbage-napa | Napa cabbage | gingham 3 pair | leafy-green
lettuce-red | Red oak lettuce | crate 1 trio | leafy-green~purple
turnips-white | Hakurei turnips | gingham 1 heap | bulb/white
radishes-watermelon | Watermelon radishes | arch 2 trio | bulb/pickle
potatoes-purple | Purple potatoes | crate 4 heap | potato~purple
squash-spaghetti | Spaghetti squash | linen 1 one | oval-squash/butter
apples-dark | Dark red apples | crate 6 trio | red-apple~dark
pears-brown | Brown Bosc pears | crate 0 trio | pear~tan
watermelon-yellow | Slices of yellow watermelon | linen 5 pair | watermelon~gold
frozen-strawberries | A bag of frozen strawberries | linen 7 pair | bag/strawberry, strawberry
frozen-blueberries | A bag of frozen blueberries | crate 3 pair | bag/blueberry, blueberries
frozen-cherries | A bag of frozen cherries | sun 7 pair | bag/tomato, cherries
frozen-peaches | A bag of frozen peaches | arch 3 pair | bag/peach, peach
frozen-raspberries | A bag of frozen raspberries | gingham 7 pair | bag/raspberry, berries/raspberry
mushrooms-dried | A bag of dried mushrooms | crate 6 pair | bag/coffee, brown-mushroom
grow-kit-oyster | A kit to grow oyster mushrooms | linen 7 pair | bag/slate, oyster-mushroom/slate
grow-kit-mane | A kit to grow lion's mane | sun 6 pair | bag/white, lions-mane
`;

/** key | alt text | ground palette | motifs: pictures of posts, articles and banners, 16 : 9. */
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

/** Throws with the value when it is none of `values`. */
function oneOf<T extends string>(values: readonly T[], value: string): T {
  const match = values.find((each) => each === value);
  if (match === undefined) throw new Error(`recipes.ts: ${value}`);
  return match;
}

function parseTable(table: string): { key: string; alt: string; look: string[]; motifs: string[] }[] {
  return table
    .trim()
    .split("\n")
    .map((line) => {
      const [key = "", alt = "", look = "", motifs = ""] = line.split("|").map((cell) => cell.trim());
      return { key, alt, look: look.split(" "), motifs: motifs.split(", ") };
    });
}

/** All pictures of the demo: those of the tables above, then the logo and the hero of each vendor. */
export const allRecipes: readonly NamedRecipe[] = [
  ...parseTable(stills).map(({ key, alt, look: [ground = "", palette, layout = ""], motifs }): NamedRecipe => ({
    key,
    alt,
    recipe: {
      kind: "still",
      ground: oneOf(grounds, ground),
      palette: Number(palette),
      layout: oneOf(layouts, layout),
      motifs,
    },
  })),
  ...parseTable(wides).map(({ key, alt, look: [ground = "", palette], motifs }): NamedRecipe => ({
    key,
    alt,
    recipe: { kind: "wide", ground: oneOf(grounds, ground), palette: Number(palette), motifs },
  })),
  ...vendorPlans.flatMap(({ id, name, motifs }): NamedRecipe[] => {
    const color = vendorColor(id);
    return [
      {
        key: `avatar-${id}`,
        alt: `Logo of ${name}`,
        recipe: { kind: "avatar", vendorColor: color, initials: initials(name) },
      },
      {
        key: `hero-${id}`,
        alt: `The stall of ${name}`,
        recipe: { kind: "hero", vendorColor: color, motifs: [...motifs] },
      },
    ];
  }),
];
