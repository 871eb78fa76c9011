import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { Button } from "../src/button.tsx";
import { Checkbox } from "../src/checkbox.tsx";
import { Controls } from "../src/controls.tsx";
import { Field } from "../src/field.tsx";
import { Form } from "../src/form.tsx";
import { RadioChips } from "../src/radio-chips.tsx";
import { RadioRows } from "../src/radio-rows.tsx";
import { TextInput } from "../src/text-input.tsx";
import { render } from "./render.tsx";

/** A form with a rule for each field: it must not be empty. What is corrected is no longer a problem. */
function Address() {
  const [values, setValues] = useState<Record<string, string>>({ street: "", city: "" });
  const [all, setAll] = useState<{ field: string; message: string }[]>([]);
  const problems = all.filter(({ field }) => values[field] === "");
  const fields = [
    { id: "street", label: "Street" },
    { id: "city", label: "City" },
  ];
  const submit = () =>
    setAll(fields.map(({ id, label }) => ({ field: id, message: `Enter a ${label.toLowerCase()}` })));
  return (
    <Form onSubmit={submit} problems={problems}>
      {fields.map(({ id, label }) => (
        <Field key={id} id={id} label={label} error={problems.find(({ field }) => field === id)?.message}>
          <TextInput
            value={values[id]}
            onChange={({ target }) => setValues((before) => ({ ...before, [id]: target.value }))}
          />
        </Field>
      ))}
      <div style={{ height: "200vh" }} />
      <Button type="submit">Save</Button>
    </Form>
  );
}

const street = page.getByRole("textbox", { name: "Street" });
const city = page.getByRole("textbox", { name: "City" });

test("form: two problems make a summary that takes the focus, and its links lead to the fields with their labels", async () => {
  render(<Address />);
  await userEvent.click(page.getByRole("button", { name: "Save" }));
  const summary = page.getByRole("alert");
  await expect.element(summary).toHaveFocus();
  await userEvent.keyboard("{Tab}{Tab}");
  await expect.element(summary.getByRole("link", { name: "Enter a city" })).toHaveFocus();
  scrollTo(0, document.body.scrollHeight);
  await userEvent.keyboard("{Enter}");
  await expect.element(city).toHaveFocus();
  await expect.element(page.getByText("City", { exact: true })).toBeInViewport();
});

test("form: while the problems are corrected the focus stays where the shopper types", async () => {
  render(<Address />);
  await userEvent.click(page.getByRole("button", { name: "Save" }));
  await userEvent.fill(street, "12 Main Street");
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  await expect.element(street).toHaveFocus();
  await expect.element(city).toBeInvalid();
});

test("form: one problem sends the focus to its field, without a summary", async () => {
  render(<Address />);
  await userEvent.fill(street, "12 Main Street");
  await userEvent.click(page.getByRole("button", { name: "Save" }));
  await expect.element(city).toHaveFocus();
  await expect.element(city).toHaveAccessibleDescription("Error: Enter a city");
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

const sorts = [
  { value: "new", label: "Newest" },
  { value: "price", label: "Price" },
  { value: "name", label: "Name" },
];

test("radio chips: an arrow key chooses the next one, which is shown before the new value is there", async () => {
  const onChange = vi.fn();
  const chips = (value: string) => <RadioChips legend="Sort" chips={sorts} value={value} onChange={onChange} />;
  const show = render(chips("new"));
  await userEvent.click(page.getByRole("radio", { name: "Newest" }));
  await userEvent.keyboard("{ArrowRight}");
  const price = page.getByRole("group", { name: "Sort" }).getByRole("radio", { name: "Price" });
  await expect.element(price).toBeChecked();
  await expect.element(price).toHaveFocus();
  expect(onChange.mock.calls).toEqual([["price"]]);
  // The value that came is another one: it wins.
  show(chips("name"));
  await expect.element(page.getByRole("radio", { name: "Name" })).toBeChecked();
});

test("radio rows: an arrow key passes over a row that cannot be chosen, and an error belongs to the group", async () => {
  const onChange = vi.fn();
  const rows = [
    { value: "home", label: "To your door", end: "$5.95" },
    { value: "pickup", label: "Pick up", note: "Closed this week", disabled: true },
    { value: "locker", label: "Locker" },
  ];
  render(<RadioRows legend="Delivery" rows={rows} value="home" onChange={onChange} error="Choose how it comes" />);
  await expect
    .element(page.getByRole("group", { name: "Delivery" }))
    .toHaveAccessibleDescription(/Choose how it comes$/);
  await userEvent.tab();
  await expect.element(page.getByRole("radio", { name: "To your door $5.95" })).toHaveFocus();
  await userEvent.keyboard("{ArrowDown}");
  expect(onChange.mock.calls).toEqual([["locker"]]);
});

const preferences = (saving: boolean) => (
  <>
    <Controls label="Emails" saving={saving}>
      <Checkbox defaultChecked>News</Checkbox>
      <Checkbox>Deals</Checkbox>
    </Controls>
    <Button>Elsewhere</Button>
  </>
);

test("controls: disabled while a change is saved, then the one that was changed has the focus again", async () => {
  const show = render(preferences(false));
  const deals = page.getByRole("group", { name: "Emails" }).getByRole("checkbox", { name: "Deals" });
  await userEvent.click(deals);
  show(preferences(true));
  await expect.element(deals).toBeDisabled();
  await expect.poll(() => document.activeElement).toBe(document.body);
  show(preferences(false));
  await expect.element(deals).toHaveFocus();
});

test("controls: a shopper who has gone elsewhere while a change was saved stays there", async () => {
  const show = render(preferences(false));
  await userEvent.click(page.getByRole("checkbox", { name: "Deals" }));
  show(preferences(true));
  const elsewhere = page.getByRole("button", { name: "Elsewhere" });
  await userEvent.click(elsewhere);
  show(preferences(false));
  await expect.element(page.getByRole("checkbox", { name: "Deals" })).toBeEnabled();
  await expect.element(elsewhere).toHaveFocus();
});
