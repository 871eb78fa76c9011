/**
 * The most common passwords, by heart and by rule. Server-side. `words` alone, with usual endings, usual swaps of letters
 * and twice in a row; keyboard walks, digit runs and repeated characters are found by rule.
 */

const words = `
password passwort passw0rd pass passwd passcode passphrase secret private access login logon admin administrator root
user username guest master welcome hello hallo hola letmein letme changeme default temp temporary test tester testing
demo sample example computer internet server system windows microsoft google yahoo apple samsung facebook instagram
twitter youtube tiktok linkedin adobe oracle dell compaq nokia motorola toshiba lenovo intel pentium android iphone
ipad macbook linux ubuntu debian cisco router network wireless wifi online website
love lovely lover loveme loveyou iloveyou iloveu ilovegod ilovehim ilovemum ilovemom iloveme imissyou trustno trustno1
sweet sweetie sweety sweetheart honey baby babygirl babyboy babe angel angels princess prince queen king lady beautiful
pretty gorgeous darling kitty kitten puppy cutie sexy sexygirl hottie hotstuff forever friend friends friendship
bestfriend family mother father mommy daddy mom dad sister brother grandma grandpa children child girl girls boy boys
sunshine sunflower sunny moonlight moon star stars starlight rainbow butterfly flower flowers rose roses lily daisy
violet orchid summer winter spring autumn january february march april june july august september october november
december monday tuesday wednesday thursday friday saturday sunday morning midnight tonight today tomorrow holiday
birthday christmas halloween easter thanksgiving
football soccer baseball basketball hockey tennis golf golfer golfing rugby cricket bowling swimming running racing
fishing hunting hunter skating skateboard surfing boxing wrestling karate volleyball softball lacrosse champion
champions winner player players gamer gaming games game playstation nintendo xbox pokemon pikachu charizard mario luigi
zelda sonic minecraft fortnite roblox starcraft warcraft warhammer counterstrike halo doom quake tetris
batman superman spiderman ironman wolverine hulk thor joker avengers starwars startrek yoda jedi skywalker vader
matrix terminator predator alien godzilla kingkong gandalf frodo hobbit potter harrypotter hogwarts simpsons homer bart
southpark scooby snoopy garfield mickey minnie donald goofy disney tigger winnie pooh barbie snowwhite cinderella
tinkerbell ariel simba nemo shrek dragon dragons dragonball naruto goku vegeta bleach onepiece phoenix unicorn pegasus
monkey monkeys tiger tigers lion lions bear bears panda eagle eagles falcon hawk raven wolf wolves fox foxes horse horses
pony cowboy cowboys cowgirl cow chicken turkey rabbit bunny mouse rat dog dogs doggy cat cats dolphin dolphins
shark sharks whale turtle frog froggy lizard snake viper cobra scorpion spider elephant giraffe zebra gorilla buffalo
bulldog bulldogs poodle beagle husky labrador rottweiler
yankees redsox dodgers giants cubs mets braves cardinals steelers packers raiders patriots broncos chargers vikings
redskins bengals browns ravens saints bears jets lakers celtics bulls heat spurs knicks rangers bruins penguins redwings
flyers liverpool chelsea arsenal barcelona realmadrid juventus milan manchester united everton tottenham benfica
ronaldo messi beckham zidane jordan lebron kobe
mustang corvette camaro charger challenger chevy chevrolet ford dodge toyota honda nissan mazda subaru yamaha suzuki
kawasaki harley davidson mercedes porsche ferrari lamborghini maserati bugatti jaguar bmw audi volvo jeep wrangler
cadillac lexus truck trucker biker racer turbo diesel
michael jennifer jessica ashley amanda daniel david robert william joseph thomas charlie charles matthew andrew andrea
anthony joshua jonathan nicole michelle melissa stephanie samantha elizabeth alexander alexandra alexandria alexis
victoria veronica natalie natasha hannah sarah sara rachel rebecca lauren emily emma olivia sophia sophie isabella
abigail madison taylor jasmine brandon brandi brittany tiffany amber crystal heather danielle kimberly kelly kevin
justin jason james jamie jacob jackson jack john johnny jordan joe george henry harry oliver oscar oscar1 patrick peter
paul philip richard ricky robbie roger ryan samuel sammy scott sean shannon simon steven stephen steve tony trevor
tyler vincent walter wayne adam adrian albert alex alfred allen andy angela angelica angelina anna annie antonio arthur
austin barbara benjamin bernard bobby bonnie bradley brenda brian bruce bryan caroline carolina carlos catherine
chris christian christina christine christopher cindy claudia colin connor courtney craig cynthia denise dennis diana
diane dominic donna dorothy douglas dylan eddie edward eric erica eugene evelyn fernando francis frank freddy gabriel
gary gerald gloria grace gregory harold helen howard isaac jasper jeff jeffrey jeremy jerry jesus joanna joel jose
joyce juan judith julia julian julie karen katherine kathleen katie keith kenneth kyle larry laura leonard leslie
linda lisa louise lucas lucy luis luke marcus margaret maria marie marina mark martha martin marvin mary maxwell megan
melanie mercedes miguel mike miranda monica morgan nancy nathan nicholas norman pamela patricia pauline phillip raymond
regina ricardo roberto rodney ronald ruth sandra sergio sharon shawn sheila shirley sierra spencer stanley susan sylvia
teresa theodore theresa timothy tommy tracy travis valentina valerie vanessa virginia vivian wendy wesley willie
yolanda zachary maggie molly bella lola coco rocky rusty buster shadow buddy bailey cooper duke ginger lucky max milo
peanut pepper precious princess1 sasha scooter smokey sparky sophie1 toby whiskey
america american usa london england english britain scotland ireland irish australia canada canadian mexico mexican
brazil brasil france french paris germany deutschland berlin spain madrid italy italia roma russia moscow poland
polska turkey istanbul china beijing japan tokyo korea india mumbai pakistan africa egypt israel newyork brooklyn
boston chicago dallas denver detroit houston phoenix miami orlando atlanta seattle portland vegas lasvegas hawaii texas
florida california indiana ohio kansas michigan georgia
chocolate cookie cookies brownie cupcake muffin candy sugar cheese cheesecake pizza burger taco pasta spaghetti
banana apples orange cherry strawberry blueberry peach mango lemon melon grape grapes kiwi pineapple coconut potato
tomato pumpkin onion pickle butter bacon sausage steak coffee cappuccino espresso latte water beer wine vodka whisky
tequila corona heineken budweiser guinness cocacola pepsi sprite
silver golden gold diamond diamonds ruby emerald sapphire pearl crystal platinum purple yellow blue green black white
pink orange red brown grey scarlet crimson turquoise
freedom liberty justice peace power energy thunder lightning storm hurricane tornado blizzard fire water earth wind
snow snowball snowman snowflake icecream frozen ocean beach island river mountain forest desert volcano
angel1 heaven jesuschrist jesus1 christ god godisgood faith hope grace bless blessed blessing church bible gospel
hallelujah savior trinity devil demon satan lucifer hell evil killer murder death dead zombie vampire werewolf monster
ghost ghosts witch wizard magic magical mystery secret1 shadow1 dark darkness darkside
money dollar million millionaire billion rich success winner1 business company office manager boss marketing
teacher student students school college university library science physics biology chemistry history english math
music musica guitar guitarist piano drums drummer bass violin trumpet dancer dancing dance singer rocknroll metallica
nirvana acdc slipknot korn linkinpark blink182 greenday beatles elvis eminem tupac biggie rihanna beyonce shakira madonna
michaeljackson justinbieber onedirection
soldier army navy marine marines airforce military police sheriff fireman firefighter captain general sergeant ranger
sniper ninja samurai warrior gladiator spartan knight pirate viking assassin commander
whatever nothing something anything everything everyone somebody nobody cool awesome amazing fantastic perfect super
supergirl superstar rockstar crazy stupid idiot loser dumbass asshole bitch fuckyou fuckme fuckoff fuck shit bullshit
penis pussy dick cock boobs tits naked porn sex sexsex playboy bigdick suckit
mynoob noob pimp pimpin gangsta gangster thug ghetto weed marijuana stoner cannabis rasta reggae smoke smoker
please thanks thankyou sorry goodbye goodluck lucky7 lucky13 happy happiness smile smiley laugh joy joyful enjoy
qwerty qwertz azerty asdf zxcv abcd abc abcde abcdef xyz aaa zzz qaz wsx edc qazwsx qazwsxedc qweasd qweasdzxc
asdfgh zxcvbn poiuyt lkjhgf mnbvcx password1 a1b2c3 a1b2c3d4 q1w2e3 q1w2e3r4 q1w2e3r4t5 1q2w3e 1q2w3e4r 1q2w3e4r5t
1qaz 2wsx 3edc 1qaz2wsx 1qazxsw2 zaq1 zaq12wsx zaq1zaq1 q2w3e4r5 123qwe 123qweasd qwe123 asd123 zxc123 abc123 123abc
1a2b3c 1a2b3c4d a123456 123456a 12345a 1234qwer 12qwaszx 147258 147258369 159753 159357 258456 741852 741852963
789456 789456123 963852741 123321 1234321 12344321 654321 987654321 112233 11223344 121212 131313 123123 1231234
12341234 102030 10203040 101010 1010 2020 1212 1313 1122 6969 696969 420420 007007 314159 3141592 271828
football1 baseball1 liverpool1 charlie1 jordan23 michael1 hunter2 ncc1701 thx1138 rush2112 8675309 5201314 7777777
farm farmer farmers farmersmarket market organic harvest tractor garden gardener veggie vegetable vegetables wagon
eggs honeybee milk bread grocery groceries shopping shop delivery customer food foodie
`;

/** Common passwords without the endings that `isCommonPassword` takes off. */
export const COMMON_WORDS: ReadonlySet<string> = new Set(words.split(/\s+/).filter((word) => word !== ""));

const KEYBOARD = [
  "`1234567890-=",
  "qwertyuiop[]",
  "asdfghjkl;'",
  "zxcvbnm,./",
  "qwertzuiop",
  "azertyuiop",
  "yxcvbnm",
  "abcdefghijklmnopqrstuvwxyz",
  "01234567890",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.",
  "qazwsxedcrfvtgbyhnujm",
].flatMap((row) => [row + row, [...row, ...row].toReversed().join("")]);

/** Whether a text runs along a row of the keyboard, the alphabet or the digits, forwards or backwards. */
function isWalk(text: string): boolean {
  return text.length >= 3 && KEYBOARD.some((row) => row.includes(text));
}

const LONGEST_WALK = Math.max(...KEYBOARD.map((row) => row.length));

/** Whether a text is made of walks of at least three characters, as "qwerty123" and "asdf1234" are. */
function isWalks(text: string): boolean {
  // Which lengths can be reached by whole walks; step by step, as trying every split would take for ever on long texts.
  const reached = [true];
  for (let end = 3; end <= text.length; end += 1) {
    for (let start = Math.max(0, end - LONGEST_WALK); start <= end - 3; start += 1) {
      if (reached[start] === true && isWalk(text.slice(start, end))) {
        reached[end] = true;
        break;
      }
    }
  }
  return reached[text.length] === true;
}

/** Whether a text is one piece of at most four characters over and over: "aaaaa", "abcabc", "12121". */
function isRepeated(text: string): boolean {
  for (let length = 1; length <= 4 && length * 2 <= text.length; length += 1) {
    if (
      text
        .slice(0, length)
        .repeat(Math.ceil(text.length / length))
        .startsWith(text)
    )
      return true;
  }
  return false;
}

/** A date of birth or the like, in any order of its parts. */
const DATE = /^((0?[1-9]|[12]\d|3[01]){2}((19|20)?\d{2})|(19|20)\d{2}(0[1-9]|[12]\d|3[01]){2})$/;

const SWAPS: Readonly<Record<string, string>> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
  "!": "i",
};

function unswap(text: string, one: "i" | "l"): string {
  return [...text]
    .map((character) => (character === "1" || character === "!" ? one : (SWAPS[character] ?? character)))
    .join("");
}

/** Without digits and marks round it: "!!Dragon2024" → "dragon". */
export function coreOf(text: string): string {
  return text.replace(/^[^\p{L}]+/u, "").replace(/[^\p{L}]+$/u, "");
}

/** Common endings: up to four digits or a run of them, and marks. */
const ENDING = /^(\d{0,4}|12345\d*|(\d)\2*)[!?.*#@$_-]{0,3}$/;

/**
 * Whether a password is among the most common ones: a common word, alone, twice, or with a usual ending; with the usual
 * swaps ("p@ssw0rd"); a walk on the keyboard; one piece repeated; a date. Case does not matter. Expects normalised text.
 */
export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  if (COMMON_WORDS.has(text) || isWalks(text) || isRepeated(text) || DATE.test(text)) return true;
  for (const spelling of [text, unswap(text, "i"), unswap(text, "l")]) {
    if (COMMON_WORDS.has(spelling)) return true;
    const half = spelling.slice(0, spelling.length / 2);
    if (half + half === spelling && COMMON_WORDS.has(half)) return true;
  }
  for (let cut = text.length - 1; cut >= 3; cut -= 1) {
    if (!ENDING.test(text.slice(cut))) continue;
    const word = text.slice(0, cut);
    if (
      COMMON_WORDS.has(word) ||
      COMMON_WORDS.has(unswap(word, "i")) ||
      COMMON_WORDS.has(unswap(word, "l")) ||
      isWalk(word)
    )
      return true;
  }
  const core = coreOf(text);
  return core.length >= 4 && core.length >= text.length - 4 && COMMON_WORDS.has(core);
}
