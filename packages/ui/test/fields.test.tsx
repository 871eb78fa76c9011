import { useState } from "react";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";

import { CharacterCount } from "../src/character-count.tsx";
import { Field } from "../src/field.tsx";
import { LiveRegion } from "../src/live-region.tsx";
import { PasswordInput, SearchInput, Select, TextArea, TextInput } from "../src/text-input.tsx";
import { holdTimers } from "./hold-timers.ts";
import { render } from "./render.tsx";

test("field: its label, hint and error belong to the control, whichever it is", async () => {
  render(
    <>
      <Field label="Zip code" hint="5 digits" error="Enter a 5-digit zip code">
        <TextInput />
      </Field>
      <Field label="State" hint="Where we deliver">
        <Select>
          <option>Indiana</option>
        </Select>
      </Field>
      <Field label="Note to the driver" id="note">
        <TextArea />
      </Field>
    </>,
  );
  const zip = page.getByRole("textbox", { name: "Zip code" });
  await expect.element(zip).toHaveAccessibleDescription("5 digits Error: Enter a 5-digit zip code");
  await expect.element(zip).toBeInvalid();
  const state = page.getByRole("combobox", { name: "State" });
  await expect.element(state).toHaveAccessibleDescription("Where we deliver");
  await expect.element(state).toBeValid();
  const note = page.getByRole("textbox", { name: "Note to the driver" });
  await expect.element(note).toHaveAttribute("id", "note");
  await expect.element(note).toHaveAccessibleDescription("");
  await userEvent.click(page.getByText("Note to the driver"));
  await expect.element(note).toHaveFocus();
});

test("password: its button shows and hides what was typed, and says which it is", async () => {
  render(
    <Field label="Password">
      <PasswordInput />
    </Field>,
  );
  const field = page.getByLabelText("Password", { exact: true });
  const button = page.getByRole("button", { name: "Show password" });
  await userEvent.fill(field, "squash blossom");
  await expect.element(field).toHaveAttribute("type", "password");
  await expect.element(button).toHaveAttribute("aria-pressed", "false");
  await userEvent.click(button);
  await expect.element(field).toHaveAttribute("type", "text");
  await expect.element(button).toHaveAttribute("aria-pressed", "true");
  await userEvent.keyboard("{Enter}");
  await expect.element(field).toHaveAttribute("type", "password");
  await expect.element(field).toHaveValue("squash blossom");
});

function Search() {
  const [term, setTerm] = useState("");
  return (
    <Field label="Find a vendor" labelHidden>
      <SearchInput value={term} onChange={({ target }) => setTerm(target.value)} onClear={() => setTerm("")} />
    </Field>
  );
}

test("search: the button that empties it is there while there is a term, and returns the focus to the field", async () => {
  render(<Search />);
  const field = page.getByRole("searchbox", { name: "Find a vendor" });
  const clear = page.getByRole("button", { name: "Clear the search" });
  await expect.element(clear).not.toBeInTheDocument();
  await userEvent.fill(field, "honey");
  await userEvent.click(clear);
  await expect.element(field).toHaveValue("");
  await expect.element(field).toHaveFocus();
  await expect.element(clear).not.toBeInTheDocument();
});

function Note() {
  const [text, setText] = useState("Gate");
  return (
    <>
      <Field label="Note" aside={<CharacterCount length={text.length} max={40} />}>
        <TextInput value={text} onChange={({ target }) => setText(target.value)} />
      </Field>
      <LiveRegion />
    </>
  );
}

test("character count: the room that is left is announced once, a second after the last key", async () => {
  const advance = holdTimers();
  render(<Note />);
  const announced = page.getByRole("status").getByText(/characters left$/);
  advance(5000);
  await userEvent.type(page.getByRole("textbox", { name: "Note" }), " is");
  await expect.element(page.getByText("7/40")).toBeInTheDocument();
  advance(999);
  await userEvent.keyboard("!");
  await expect.element(page.getByText("8/40")).toBeInTheDocument();
  advance(999);
  expect(announced.elements()).toEqual([]);
  advance(1);
  await expect.element(announced).toHaveTextContent("32 of 40 characters left");
});
