import { type ReactNode, useState } from "react";

import { Avatar } from "../src/avatar.tsx";
import { Awning, StallStripe } from "../src/awning.tsx";
import { Banner } from "../src/banner.tsx";
import { Button, ButtonLink } from "../src/button.tsx";
import { CalendarLeaf } from "../src/calendar-leaf.tsx";
import { CharacterCount } from "../src/character-count.tsx";
import { Checkbox } from "../src/checkbox.tsx";
import { Chip, ChipLink, ChipRail } from "../src/chip.tsx";
import { Controls } from "../src/controls.tsx";
import { Detail, DetailTitle } from "../src/detail.tsx";
import { Dialog, DialogActions, DialogBar, DialogBody, DialogFoot, DialogTitle, FootFact } from "../src/dialog.tsx";
import { EmptyState } from "../src/empty-state.tsx";
import { Entries, EntryButtons, EntryList, EntryMeta, EntryWords } from "../src/entries.tsx";
import { ErrorState } from "../src/error-state.tsx";
import { Field } from "../src/field.tsx";
import { Form } from "../src/form.tsx";
import { IconButton } from "../src/icon-button.tsx";
import { Icon, type IconName } from "../src/icon/icon.tsx";
import { Cluster, Grid, Stack } from "../src/layout.tsx";
import { Link } from "../src/link.tsx";
import { announce } from "../src/live-region.tsx";
import { MenuLink, MenuRow, MenuRows } from "../src/menu-rows.tsx";
import { Pagination } from "../src/pagination.tsx";
import { Panel } from "../src/panel.tsx";
import { PictureControls } from "../src/picture-controls.tsx";
import { Picture } from "../src/picture.tsx";
import { Money, Price } from "../src/price.tsx";
import { Prose } from "../src/prose.tsx";
import { RadioChips } from "../src/radio-chips.tsx";
import { RadioRows } from "../src/radio-rows.tsx";
import { Radio } from "../src/radio.tsx";
import { Ribbon } from "../src/ribbon.tsx";
import { RichText } from "../src/rich-text.tsx";
import { Scale } from "../src/scale.tsx";
import { Skeleton, SkeletonPart } from "../src/skeleton.tsx";
import { Stars, StarShapes } from "../src/stars.tsx";
import { Stepper } from "../src/stepper.tsx";
import { Sum, Sums } from "../src/sums.tsx";
import { Tabs } from "../src/tabs.tsx";
import { PasswordInput, SearchInput, Select, TextArea, TextInput } from "../src/text-input.tsx";
import { toast } from "../src/toast-store.ts";
import { VisuallyHidden } from "../src/visually-hidden.tsx";
import { WeekLine } from "../src/week-line.tsx";
import { adminSections } from "./admin-sections.tsx";

import linkCard from "../src/link-card.module.css";
import s from "./gallery.module.css";

interface Case {
  /** What one sees. */
  state: string;
  /** Over the whole width. */
  wide?: boolean;
  shown: ReactNode;
}

const noop = () => {};
const picture = (hue: number) => ({
  url: `/img/${hue}`,
  alt: "Two tomatoes on a table",
  thumbhash: "1QcSHQRnh493V4dIh4eXh1h4kJUI",
});

const icons: Record<IconName, true> = {
  again: true,
  aim: true,
  apple: true,
  back: true,
  bell: true,
  bin: true,
  bookmark: true,
  card: true,
  check: true,
  clock: true,
  close: true,
  columns: true,
  crate: true,
  down: true,
  eye: true,
  filter: true,
  find: true,
  flag: true,
  gift: true,
  heart: true,
  help: true,
  info: true,
  leaf: true,
  leave: true,
  link: true,
  mail: true,
  memo: true,
  minus: true,
  more: true,
  next: true,
  page: true,
  pause: true,
  person: true,
  pin: true,
  plus: true,
  share: true,
  stall: true,
  star: true,
  "star-half": true,
  sun: true,
  wagon: true,
  warn: true,
  audit: true,
  chart: true,
  coins: true,
  copy: true,
  key: true,
  keys: true,
  lock: true,
  offline: true,
  order: true,
  out: true,
  phone: true,
  print: true,
  short: true,
  sliders: true,
  today: true,
  undo: true,
  up: true,
};

const kinds = ["primary", "outline", "quiet", "danger", "link"] as const;

function SavingControls() {
  const [saving, setSaving] = useState(false);
  return (
    <Stack gap={3}>
      <Controls label="Emails, saved when changed" saving={saving}>
        <Checkbox onChange={() => setSaving(true)}>News of the market</Checkbox>
      </Controls>
      <Button kind="quiet" onClick={() => setSaving(false)}>
        Saved
      </Button>
    </Stack>
  );
}

function Note() {
  const [text, setText] = useState("The gate is open.");
  return (
    <Field
      label="Note to the driver"
      hint="Where to put the crate"
      aside={<CharacterCount length={text.length} max={120} />}
    >
      <TextArea rows={3} value={text} onChange={({ target }) => setText(target.value)} />
    </Field>
  );
}

function Search() {
  const [term, setTerm] = useState("honey");
  return (
    <Field label="Find a vendor">
      <SearchInput value={term} onChange={({ target }) => setTerm(target.value)} onClear={() => setTerm("")} />
    </Field>
  );
}

function Sorts() {
  const [sort, setSort] = useState("new");
  const chips = [
    { value: "new", label: "Newest" },
    { value: "price", label: "Price" },
    { value: "name", label: "Name" },
  ];
  return <RadioChips legend="Sort by" chips={chips} value={sort} onChange={setSort} />;
}

function Delivery({ error }: { error?: string }) {
  const [way, setWay] = useState<string | null>(error ? null : "home");
  const rows = [
    { value: "home", label: "To your door", note: "Thursday, 2 to 7 PM", end: <Money amount={5.95} /> },
    { value: "pickup", label: "Pick up at the barn", end: "Free" },
    { value: "locker", label: "Locker", note: "Closed this week", disabled: true },
  ];
  return (
    <RadioRows
      legend={error ? "Delivery, not chosen" : "Delivery"}
      rows={rows}
      value={way}
      onChange={setWay}
      error={error}
    />
  );
}

const satisfaction = ["Not at all", "A little", "Quite", "Very much"];
function Satisfaction({ error }: { error?: string }) {
  const [value, setValue] = useState<number | null>(error ? null : 3);
  const legend = error ? "How fresh was it? (no answer)" : "How fresh was it?";
  return <Scale legend={legend} labels={satisfaction} value={value} onChange={setValue} error={error} />;
}

function Quantity({ look, from, min }: { look: "tile" | "line" | "bar"; from: number; min?: 0 | 1 }) {
  const [quantity, setQuantity] = useState(from);
  return (
    <Stepper
      name={`Eggs (${look}, from ${from})`}
      look={look}
      quantity={quantity}
      min={min}
      max={4}
      onChange={setQuantity}
      onLimit={() => toast({ text: "Only 4 are left." })}
    />
  );
}

function Facts({ label, fill }: { label: string; fill?: boolean }) {
  const [current, setCurrent] = useState("about");
  const tabs = [
    { id: "about", label: "About", panel: <p>Picked on the morning of the delivery.</p> },
    { id: "reviews", label: "Reviews", panel: <p>Two reviews.</p> },
    { id: "questions", label: "Questions", panel: <p>No question yet.</p> },
  ];
  return <Tabs label={label} tabs={tabs} current={current} onChange={setCurrent} fill={fill} />;
}

function Pages({ label, from, pages }: { label: string; from: number; pages: number }) {
  const [page, setPage] = useState(from);
  return <Pagination label={label} page={page} pages={pages} href={(each) => `#page=${each}`} onSelect={setPage} />;
}

function Pictures() {
  const [at, setAt] = useState(0);
  return (
    <div className={s.narrow}>
      <Picture picture={picture(at * 60)} sizes="224px" />
      <PictureControls at={at} count={3} onShow={(next) => setAt(Math.min(Math.max(next, 0), 2))}>
        <IconButton icon="find" label="Enlarge" floating />
      </PictureControls>
    </div>
  );
}

/** A button that opens what `dialog` makes. */
function Opener({ label, dialog }: { label: string; dialog: (close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button kind="outline" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && dialog(() => setOpen(false))}
    </>
  );
}

const html =
  '<h3>From the farm</h3><p>Grown in <strong>Carmel</strong>, without sprays. <a href="/faq">How we deliver</a></p><ul><li>Ripe in July</li><li>Keeps a week</li></ul>';

export const sections: { title: string; cases: Case[] }[] = [
  {
    title: "Buttons",
    cases: [
      ...kinds.map((kind) => ({
        state: `Button, ${kind}: at rest, disabled, busy`,
        shown: (
          <Cluster gap={3}>
            <Button kind={kind}>Add to cart</Button>
            <Button kind={kind} disabled>
              Sold out
            </Button>
            <Button kind={kind} busy="Adding…">
              Add to cart
            </Button>
          </Cluster>
        ),
      })),
      {
        state: "Large and wide, with an icon",
        shown: (
          <Button size="lg" wide icon="wagon">
            Place order · $46.70
          </Button>
        ),
      },
      {
        state: "Link, in a sentence",
        shown: (
          <p>
            The farms are on <Link to="/vendors">the list of vendors</Link>.
          </p>
        ),
      },
      {
        state: "ButtonLink",
        shown: (
          <Cluster gap={3}>
            <ButtonLink to="/shop">To the shop</ButtonLink>
            <ButtonLink to="/orders" kind="link" icon="next">
              Your orders
            </ButtonLink>
          </Cluster>
        ),
      },
      {
        state: "IconButton: at rest, pressed, floating",
        shown: (
          <Cluster gap={3}>
            <IconButton icon="heart" label="Save" pressed={false} />
            <IconButton icon="heart" label="Saved" pressed />
            <IconButton icon="heart" label="Save this picture" floating />
            <IconButton icon="heart" label="Saved picture" floating pressed />
          </Cluster>
        ),
      },
      {
        state: "Icon: every drawing, sm",
        wide: true,
        shown: (
          <Cluster gap={3}>
            {(Object.keys(icons) as IconName[]).map((name) => (
              <Icon key={name} name={name} size="sm" />
            ))}
          </Cluster>
        ),
      },
      {
        state: "Icon: md, lg, filled",
        shown: (
          <Cluster gap={3}>
            <Icon name="wagon" />
            <Icon name="wagon" size="lg" />
            <Icon name="heart" size="lg" filled />
          </Cluster>
        ),
      },
    ],
  },
  {
    title: "Fields",
    cases: [
      {
        state: "TextInput: empty, with a hint",
        shown: (
          <Field label="Zip code" hint="5 digits">
            <TextInput inputMode="numeric" />
          </Field>
        ),
      },
      {
        state: "TextInput with an error",
        shown: (
          <Field label="Email" error="Enter an email address like name@example.com">
            <TextInput type="email" defaultValue="name@" />
          </Field>
        ),
      },
      {
        state: "TextInput, disabled",
        shown: (
          <Field label="Market">
            <TextInput disabled defaultValue="Carmel" />
          </Field>
        ),
      },
      {
        state: "PasswordInput, with something aside",
        shown: (
          <Field
            label="Password"
            aside={
              <ButtonLink to="/reset" kind="link">
                Forgot it?
              </ButtonLink>
            }
          >
            <PasswordInput defaultValue="squash blossom" />
          </Field>
        ),
      },
      {
        state: "Label hidden",
        shown: (
          <Field label="Gift code" labelHidden>
            <TextInput placeholder="ABCD-1234" />
          </Field>
        ),
      },
      { state: "SearchInput", shown: <Search /> },
      { state: "TextArea with CharacterCount", shown: <Note /> },
      {
        state: "Select",
        shown: (
          <Field label="State">
            <Select defaultValue="IN">
              <option value="IN">Indiana</option>
              <option value="OH">Ohio</option>
            </Select>
          </Field>
        ),
      },
      {
        state: "Form with two problems: its summary takes the focus after a submit",
        wide: true,
        shown: (
          <Form
            onSubmit={noop}
            problems={[
              { field: "street", message: "Enter a street" },
              { field: "city", message: "Enter a city" },
            ]}
          >
            <Field id="street" label="Street" error="Enter a street">
              <TextInput />
            </Field>
            <Field id="city" label="City" error="Enter a city">
              <TextInput />
            </Field>
            <Button type="submit">Save</Button>
          </Form>
        ),
      },
    ],
  },
  {
    title: "Choices",
    cases: [
      { state: "RadioRows", shown: <Delivery /> },
      { state: "RadioRows with an error", shown: <Delivery error="Choose how it comes to you" /> },
      { state: "RadioChips", shown: <Sorts /> },
      { state: "Scale", shown: <Satisfaction /> },
      { state: "Scale with an error", shown: <Satisfaction error="Choose a number" /> },
      {
        state: "Checkbox: off, on, disabled",
        shown: (
          <Stack gap={3}>
            <Checkbox>Leave it at the door</Checkbox>
            <Checkbox defaultChecked>Text me when it is here</Checkbox>
            <Checkbox disabled>Gift wrap (not this week)</Checkbox>
          </Stack>
        ),
      },
      {
        state: "Radio: the mark of a choice that is a card",
        shown: (
          <Cluster gap={3}>
            {["Month", "Year"].map((plan) => (
              <label key={plan} className={s.choice}>
                <Radio name="plan" defaultChecked={plan === "Year"} />
                {plan}
              </label>
            ))}
          </Cluster>
        ),
      },
      { state: "Controls: a tick is saved until “Saved” is pressed", shown: <SavingControls /> },
      {
        state: "Controls, saving",
        shown: (
          <Controls label="Texts, being saved" saving>
            <Checkbox defaultChecked>A text when the wagon leaves</Checkbox>
          </Controls>
        ),
      },
    ],
  },
  {
    title: "Quantities, tabs, pages",
    cases: [
      ...(["tile", "line", "bar"] as const).map((look) => ({
        state: `Stepper, ${look}: none, one, two, all`,
        shown: (
          <Cluster gap={3}>
            {[0, 1, 2, 4].map((from) => (
              <Quantity key={from} look={look} from={from} />
            ))}
          </Cluster>
        ),
      })),
      {
        state: "Stepper: 1 is the least",
        shown: (
          <Cluster gap={3}>
            <Quantity look="bar" from={1} min={1} />
          </Cluster>
        ),
      },
      { state: "Tabs", shown: <Facts label="About the tomatoes" /> },
      {
        state: "Tabs that fill",
        shown: (
          <div className={s.filling}>
            <Facts label="About the farm" fill />
          </div>
        ),
      },
      { state: "Pagination, all", shown: <Pages label="Pages of orders" from={2} pages={6} /> },
      { state: "Pagination, a window", shown: <Pages label="Pages of products" from={9} pages={20} /> },
    ],
  },
  {
    title: "Chips",
    cases: [
      {
        state: "Chip: kale, squash, tomato, plain",
        shown: (
          <Cluster gap={3}>
            <Chip>Organic</Chip>
            <Chip tone="squash">Street</Chip>
            <Chip tone="tomato">Sold out</Chip>
            <Chip tone="plain">Pint</Chip>
          </Cluster>
        ),
      },
      {
        state: "ChipRail of ChipLinks, the current one in view",
        wide: true,
        shown: (
          <ChipRail label="Categories">
            {["Vegetables", "Fruit", "Bread", "Eggs", "Cheese", "Honey", "Meat", "Flowers", "Pantry"].map((name) => (
              <ChipLink key={name} to={`/collections/${name}`} current={name === "Bread"}>
                {name}
              </ChipLink>
            ))}
          </ChipRail>
        ),
      },
    ],
  },
  {
    title: "Messages",
    cases: [
      ...(["warning", "information", "other", "error"] as const).map((tone) => ({
        state: `Banner, ${tone}`,
        shown: (
          <Banner tone={tone} title="Orders close Tuesday" action={<Button kind="link">See the week</Button>}>
            Add until 1 AM. The wagon comes on Thursday.
          </Banner>
        ),
      })),
      {
        state: "Banner, compact, can be put away",
        shown: (
          <Banner tone="other" compact title="New:" onDismiss={noop}>
            gift cards.
          </Banner>
        ),
      },
      {
        state: "EmptyState",
        shown: (
          <EmptyState icon="wagon" title="No orders yet" action={<ButtonLink to="/shop">Start shopping</ButtonLink>}>
            What you order appears here.
          </EmptyState>
        ),
      },
      {
        state: "ErrorState",
        shown: (
          <ErrorState message="The vendors did not load." onRetry={noop} wayOut={<Button kind="link">Back</Button>}>
            Check your connection.
          </ErrorState>
        ),
      },
      {
        state: "Skeleton: every kind of part",
        shown: (
          <Skeleton label="vendors">
            <SkeletonPart kind="title" width="half" />
            <SkeletonPart kind="line" />
            <SkeletonPart kind="line" width="third" />
            <SkeletonPart kind="row" />
            <SkeletonPart kind="chip" />
            <SkeletonPart kind="wide" />
            <SkeletonPart kind="square" width="third" />
          </Skeleton>
        ),
      },
      {
        state: "Toasts and announcements",
        shown: (
          <Cluster gap={3}>
            <Button kind="outline" onClick={() => toast({ text: "Saved" })}>
              Toast
            </Button>
            <Button
              kind="outline"
              onClick={() =>
                toast({
                  text: "Removed eggs",
                  duration: 6000,
                  action: { label: "Undo", run: () => announce("Eggs are back") },
                })
              }
            >
              Toast with Undo
            </Button>
            <Button kind="outline" onClick={() => toast({ text: "That did not work. Try again.", tone: "error" })}>
              Toast of an error
            </Button>
          </Cluster>
        ),
      },
      {
        state: "VisuallyHidden: the rest of this sentence is for screen readers",
        shown: (
          <p>
            $14.50 <VisuallyHidden>was the price before</VisuallyHidden>
          </p>
        ),
      },
    ],
  },
  {
    title: "Layout",
    cases: [
      {
        state: "Stack: as wide as it is, from the beginning",
        shown: (
          <Stack gap={3}>
            {([undefined, "start"] as const).map((align) => (
              <Stack key={align ?? "stretch"} gap={1} align={align}>
                <Chip>Eggs</Chip>
                <Chip tone="plain">Heirloom tomatoes</Chip>
              </Stack>
            ))}
          </Stack>
        ),
      },
      ...([undefined, "center", "between"] as const).map((justify) => ({
        state: `Cluster, ${justify ?? "from the beginning"}`,
        shown: (
          <Cluster gap={2} justify={justify}>
            <Chip>Eggs</Chip>
            <Price price={6.5} size="detail" />
            <Chip tone="plain">Heirloom tomatoes</Chip>
          </Cluster>
        ),
      })),
      {
        state: "Cluster: on one line; stretched",
        shown: (
          <Stack gap={3}>
            {(["baseline", "stretch"] as const).map((align) => (
              <Cluster key={align} gap={2} align={align}>
                <Chip>Eggs</Chip>
                <Price price={6.5} size="detail" />
              </Cluster>
            ))}
          </Stack>
        ),
      },
      ...(["button", "half", "card"] as const).map((min) => ({
        state: `Grid, ${min}`,
        wide: true,
        shown: (
          <Grid min={min} gap={3}>
            <Panel>Eggs</Panel>
            <Panel>Bread</Panel>
            <Panel>Honey</Panel>
          </Grid>
        ),
      })),
    ],
  },
  {
    title: "Cards and rows",
    cases: [
      {
        state: "Panel",
        shown: (
          <Panel as="section" label="Next delivery">
            Thursday, August 6
          </Panel>
        ),
      },
      {
        state: "link-card: the card is one link",
        shown: (
          <div className={linkCard.card}>
            <p className={s.card}>
              <a className={linkCard.link} href="#card">
                A week of salads
              </a>
            </p>
          </div>
        ),
      },
      {
        state: "MenuRows: MenuRow, MenuLink",
        shown: (
          <MenuRows>
            <MenuRow mark={<Icon name="bell" />} note="3 new" leads>
              Messages
            </MenuRow>
            <MenuRow mark={<Icon name="sun" />}>Theme</MenuRow>
            <MenuLink mark={<Icon name="mail" />} href="#mail">
              Email the market
            </MenuLink>
          </MenuRows>
        ),
      },
      {
        state: "Entries",
        shown: (
          <Entries>
            <EntryButtons>
              <Button>Post</Button>
              <Button kind="quiet">Cancel</Button>
            </EntryButtons>
            <EntryList
              label="Reviews"
              entries={[
                {
                  id: 1,
                  entry: (
                    <>
                      <EntryMeta>Ada, July 4</EntryMeta>
                      <EntryWords strong>The best tomatoes</EntryWords>
                      <EntryWords>{"Sweet.\nGone in a day."}</EntryWords>
                    </>
                  ),
                },
                { id: 2, entry: <EntryWords>Good eggs.</EntryWords> },
              ]}
            />
          </Entries>
        ),
      },
      {
        state: "Sums, and while they are recalculated",
        shown: (
          <Stack gap={3}>
            {[false, true].map((dim) => (
              <Sums key={String(dim)} dim={dim}>
                <Sum label="Items">
                  <Money amount={40.75} />
                </Sum>
                <Sum label="Delivery">
                  <Money amount={5.95} was={7.95} />
                </Sum>
                <Sum label="Total" strong>
                  <Money amount={46.7} />
                </Sum>
              </Sums>
            ))}
          </Stack>
        ),
      },
    ],
  },
  {
    title: "The market's own signs",
    cases: [
      {
        state: "Price: row, tile, detail, on sale",
        shown: (
          <Cluster gap={3}>
            <Price price={6.5} size="row" />
            <Price price={6.5} />
            <Price price={6.5} size="detail" />
            <Price price={14.5} salePrice={11} />
          </Cluster>
        ),
      },
      {
        state: "Money: plain, negative, what it was, stacked",
        shown: (
          <Cluster gap={3}>
            <Money amount={6.5} />
            <Money amount={-2} />
            <Money amount={11} was={14.5} />
            <Money amount={11} was={14.5} stacked />
          </Cluster>
        ),
      },
      {
        state: "Stars, StarShapes",
        shown: (
          <Cluster gap={3}>
            <Stars rating={4.6} count={38} />
            <Stars rating={2} />
            <span className={s.shapes}>
              <StarShapes rating={3.5} size="lg" />
            </span>
          </Cluster>
        ),
      },
      ...(["squash", "tomato", "ink", "beet"] as const).map((tone, place) => ({
        state: `Ribbon, ${tone}, on a Picture`,
        shown: (
          <div className={s.narrow}>
            <Picture picture={picture(place * 50)} sizes="224px" ratio="wide" />
            <Ribbon tone={tone}>New this week</Ribbon>
          </div>
        ),
      })),
      {
        state: "CalendarLeaf",
        shown: (
          <Cluster gap={3}>
            <CalendarLeaf date="2026-08-06" />
          </Cluster>
        ),
      },
      {
        state: "WeekLine",
        shown: (
          <WeekLine
            now={new Date("2026-08-03T15:00:00Z")}
            zone="America/Indiana/Indianapolis"
            cutoff={new Date("2026-08-05T05:00:00Z")}
            deliveryDate="2026-08-06"
          />
        ),
      },
      {
        state: "Awning, and a vendor's stripe in each color",
        wide: true,
        shown: (
          <Stack gap={3}>
            <Awning />
            {[0, 1, 2, 3, 4, 5, 6, 7].map((hue) => (
              <div key={hue} data-stall={hue}>
                <StallStripe />
              </div>
            ))}
          </Stack>
        ),
      },
      {
        state: "Avatar: sm, md, lg, initials and picture",
        shown: (
          <Cluster gap={3}>
            <Avatar id={1} name="Rooted Acre Farm" size="sm" />
            <Avatar id={2} name="Honeybear" />
            <Avatar id={3} name="Oak & Vine" size="lg" />
            <Avatar id={4} name="Red Barn" size="lg" picture={picture(10)} />
          </Cluster>
        ),
      },
    ],
  },
  {
    title: "Pictures and texts",
    cases: [
      {
        state: "Picture: square, wide, band",
        shown: (
          <div className={s.narrow}>
            <Picture picture={picture(120)} sizes="224px" />
            <Picture picture={picture(200)} sizes="224px" ratio="wide" />
            <Picture picture={picture(280)} sizes="224px" ratio="band" />
          </div>
        ),
      },
      {
        state: "Picture: none",
        shown: (
          <div className={s.narrow}>
            <Picture picture={null} sizes="224px" />
          </div>
        ),
      },
      { state: "PictureControls over a Picture", shown: <Pictures /> },
      { state: "RichText", shown: <RichText html={html} /> },
      { state: "Prose", shown: <Prose html={html} onFollow={noop} /> },
      { state: "Prose, an article", shown: <Prose html={html} article onFollow={noop} /> },
    ],
  },
  {
    title: "Dialogs",
    cases: [
      {
        state: "Each size; what they may have",
        wide: true,
        shown: (
          <Cluster gap={3}>
            <Opener
              label="Small dialog"
              dialog={(close) => (
                <Dialog onClose={close}>
                  <DialogTitle>Leave the cart?</DialogTitle>
                  <DialogBody>What you have added stays in it.</DialogBody>
                  <DialogFoot note="You can come back any time.">
                    <Button wide onClick={close}>
                      Leave
                    </Button>
                  </DialogFoot>
                </Dialog>
              )}
            />
            <Opener
              label="Page dialog"
              dialog={(close) => (
                <Dialog size="page" onBack={close} onClose={close}>
                  <DialogActions>
                    <IconButton icon="share" label="Share" />
                  </DialogActions>
                  <Detail picture={<Picture picture={picture(0)} sizes="460px" priority="first" />}>
                    <DetailTitle>Heirloom Tomatoes</DetailTitle>
                    <Price price={14.5} salePrice={11} size="detail" />
                    <RichText html={html} />
                  </Detail>
                  <DialogFoot row>
                    <FootFact good>In your cart · $11.00</FootFact>
                    <Quantity look="bar" from={1} min={1} />
                    <Button size="lg">Add to cart · $11.00</Button>
                  </DialogFoot>
                </Dialog>
              )}
            />
            <Opener
              label="Panel dialog"
              dialog={(close) => (
                <Dialog size="panel" onClose={close}>
                  <DialogBar>
                    <Field label="Search for" labelHidden>
                      <SearchInput data-autofocus="" value="" onChange={noop} onClear={noop} />
                    </Field>
                  </DialogBar>
                  <DialogBody>
                    <DialogTitle hidden>Search</DialogTitle>
                    <EmptyState icon="find" title="Type at least 2 letters" />
                  </DialogBody>
                </Dialog>
              )}
            />
            <Opener
              label="Cart dialog"
              dialog={(close) => (
                <Dialog size="cart" onClose={close}>
                  <DialogTitle>Cart</DialogTitle>
                  <DialogBody>
                    <EmptyState title="Your cart is empty" />
                  </DialogBody>
                </Dialog>
              )}
            />
            <Opener
              label="Full dialog"
              dialog={(close) => (
                <Dialog size="full">
                  <DialogTitle hidden>Pictures</DialogTitle>
                  <DialogBody>
                    <Picture picture={picture(40)} sizes="100vw" ratio="wide" priority="first" />
                    <Button onClick={close}>Close</Button>
                  </DialogBody>
                </Dialog>
              )}
            />
          </Cluster>
        ),
      },
    ],
  },
  ...adminSections,
];
