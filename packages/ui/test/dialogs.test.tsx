import { useState } from "react";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { Button } from "../src/button.tsx";
import { Dialog, DialogActions, DialogBody, DialogTitle } from "../src/dialog.tsx";
import { Field } from "../src/field.tsx";
import { IconButton } from "../src/icon-button.tsx";
import { LiveRegion } from "../src/live-region.tsx";
import { TextInput } from "../src/text-input.tsx";
import { toast } from "../src/toast-store.ts";
import { Toaster } from "../src/toaster.tsx";
import { render } from "./render.tsx";

/** A page with a cart, which opens a product over it. `opensOnce`: what opens the cart is gone then. */
function Shop({ opensOnce = false, returnTo }: { opensOnce?: boolean; returnTo?: string }) {
  const [open, setOpen] = useState<"cart" | "product" | null>(null);
  const [isGone, setGone] = useState(false);
  const openCart = () => {
    setOpen("cart");
    setGone(opensOnce);
  };
  return (
    <>
      <h1>Shop</h1>
      <Button id="orders">Orders</Button>
      {!isGone && <Button onClick={openCart}>Open cart</Button>}
      {open && (
        <Dialog size="cart" onClose={() => setOpen(null)} returnTo={returnTo}>
          <DialogTitle>Cart</DialogTitle>
          <DialogActions>
            <IconButton icon="share" label="Share" />
          </DialogActions>
          <DialogBody>
            <Button onClick={() => setOpen("product")}>Tomatoes</Button>
          </DialogBody>
        </Dialog>
      )}
      {open === "product" && (
        <Dialog size="page" onBack={() => setOpen("cart")} onClose={() => setOpen(null)}>
          <DialogBody>
            <DialogTitle>Heirloom Tomatoes</DialogTitle>
          </DialogBody>
        </Dialog>
      )}
      <Toaster />
      <LiveRegion />
    </>
  );
}

const openCart = page.getByRole("button", { name: "Open cart" });
const cart = page.getByRole("dialog", { name: "Cart" });
const product = page.getByRole("dialog", { name: "Heirloom Tomatoes" });

test("dialog: opened, its title names it and has the focus, Tab stays in it, and Esc returns to what opened it", async () => {
  render(<Shop />);
  await userEvent.click(openCart);
  await expect.element(cart.getByRole("heading", { name: "Cart" })).toHaveFocus();
  await expect.poll(() => cart.element().matches(":modal")).toBe(true);
  for (const name of ["Share", "Close", "Tomatoes"]) {
    await userEvent.tab();
    await expect.element(cart.getByRole("button", { name })).toHaveFocus();
  }
  await userEvent.keyboard("{Escape}");
  await expect.element(cart).not.toBeInTheDocument();
  await expect.element(openCart).toHaveFocus();
});

test("dialog: over another one, Esc closes only the upper one, and the page scrolls again after the last", async () => {
  render(<Shop />);
  const isLocked = () => document.documentElement.classList.contains("lock");
  await userEvent.click(openCart);
  const tomatoes = cart.getByRole("button", { name: "Tomatoes" });
  await userEvent.click(tomatoes);
  await expect.element(product.getByRole("heading")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(product).not.toBeInTheDocument();
  await expect.element(tomatoes).toHaveFocus();
  expect(isLocked()).toBe(true);
  await userEvent.keyboard("{Escape}");
  await expect.element(openCart).toHaveFocus();
  expect(isLocked()).toBe(false);
});

test("dialog: the upper one has the toasts and what is announced, and after it the lower one", async () => {
  render(<Shop />);
  await userEvent.click(openCart);
  await userEvent.click(cart.getByRole("button", { name: "Tomatoes" }));
  await expect.poll(() => product.element().matches(":modal")).toBe(true);
  const undo = vi.fn();
  toast({ text: "Removed honey", action: { label: "Undo", run: undo }, tone: "error" });
  await expect.element(product.getByRole("alert").getByText("Removed honey")).toBeInTheDocument();
  await userEvent.click(product.getByRole("button", { name: "Back" }));
  await userEvent.click(cart.getByRole("button", { name: "Undo" }));
  expect(undo).toHaveBeenCalledOnce();
});

test("dialog: closed when what opened it is gone, the focus goes to what it names, else to the page's heading", async () => {
  const show = render(<Shop opensOnce />);
  await userEvent.click(openCart);
  await expect.element(cart.getByRole("heading")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("heading", { name: "Shop" })).toHaveFocus();
  show(<Shop key="named" opensOnce returnTo="orders" />);
  await userEvent.click(openCart);
  await expect.element(cart.getByRole("heading")).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("button", { name: "Orders" })).toHaveFocus();
});

test("dialog: a press that begins and ends on the scrim closes it, one that begins inside does not", async () => {
  render(<Shop />);
  await userEvent.click(openCart);
  await expect.poll(() => cart.element().matches(":modal")).toBe(true);
  const scrim = { x: -50, y: 50 };
  await userEvent.dragAndDrop(cart.getByRole("heading"), cart, { targetPosition: scrim });
  await expect.element(cart).toBeInTheDocument();
  await userEvent.click(cart, { position: scrim });
  await expect.element(cart).not.toBeInTheDocument();
});

test("dialog: without a way out it stays when Esc is pressed twice, and its field keeps the focus", async () => {
  render(
    <Dialog>
      <DialogBody>
        <DialogTitle>Confirm your payment</DialogTitle>
        <Field label="Code">
          <TextInput data-autofocus="" />
        </Field>
      </DialogBody>
    </Dialog>,
  );
  const code = page.getByRole("textbox", { name: "Code" });
  await expect.element(code).toHaveFocus();
  const closed = new Promise((resolve) => code.element().closest("dialog")!.addEventListener("close", resolve));
  await userEvent.keyboard("{Escape}{Escape}");
  await closed;
  await userEvent.keyboard("46");
  await expect.element(code).toHaveValue("46");
  await expect.element(page.getByRole("dialog", { name: "Confirm your payment" })).toBeVisible();
  expect(page.getByRole("dialog").element().matches(":modal")).toBe(true);
});

test("dialog: held while something runs, Esc twice, its X and the scrim leave it open, and afterwards the scrim closes it", async () => {
  const onClose = vi.fn();
  const shown = (isHeld: boolean) => (
    <Dialog onClose={onClose} isHeld={isHeld}>
      <DialogTitle>Pay 2 vendors</DialogTitle>
    </Dialog>
  );
  const show = render(shown(true));
  const dialog = page.getByRole("dialog", { name: "Pay 2 vendors" });
  await expect.poll(() => dialog.element().matches(":modal")).toBe(true);
  const closed = new Promise((resolve) => dialog.element().addEventListener("close", resolve));
  await userEvent.keyboard("{Escape}{Escape}");
  await closed;
  await expect.poll(() => dialog.element().matches(":modal")).toBe(true);
  await userEvent.click(dialog.getByRole("button", { name: "Close" }), { force: true });
  const scrim = { x: 5, y: -50 };
  await userEvent.click(dialog, { position: scrim });
  expect(onClose).not.toHaveBeenCalled();
  show(shown(false));
  await userEvent.click(dialog, { position: scrim });
  expect(onClose).toHaveBeenCalledOnce();
});
