import { TOAST_MS } from "@marketday/domain/limits";
import { useState } from "react";
import { flushSync } from "react-dom";
import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";

import { Button } from "../src/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "../src/dialog.tsx";
import { LiveRegion } from "../src/live-region.tsx";
import { Skeleton, SkeletonPart } from "../src/skeleton.tsx";
import { dismissToast, toast } from "../src/toast-store.ts";
import { Toaster } from "../src/toaster.tsx";
import { holdTimers } from "./hold-timers.ts";
import { render } from "./render.tsx";

const messages = (
  <>
    <Toaster />
    <LiveRegion />
  </>
);

test("toast: it is announced politely, its Undo runs once, and it is gone then", async () => {
  const undo = vi.fn();
  render(messages);
  toast({ text: "Removed eggs", action: { label: "Undo", run: undo }, duration: 600_000 });
  await expect.element(page.getByRole("status").getByText("Removed eggs")).toBeInTheDocument();
  await expect.element(page.getByRole("alert").getByText("Removed eggs")).not.toBeInTheDocument();
  const button = page.getByRole("button", { name: "Undo" });
  await userEvent.dblClick(button);
  await expect.element(button).not.toBeInTheDocument();
  expect(undo).toHaveBeenCalledOnce();
});

test("toast: it leaves after its time, but not while its button has the focus", async () => {
  const advance = holdTimers();
  render(messages);
  toast({ text: "Removed bread", action: { label: "Undo bread", run: () => {} } });
  toast({ text: "Saved" });
  const button = page.getByRole("button", { name: "Undo bread" });
  await expect.element(button).toBeVisible();
  const place = button.element().closest<HTMLElement>("[popover]");
  const undo = button.element() as HTMLElement;
  flushSync(() => undo.focus());
  advance(TOAST_MS);
  await expect.element(place).toHaveTextContent("Removed breadUndo bread");
  await expect.element(button).toBeVisible();
  flushSync(() => undo.blur());
  advance(TOAST_MS - 1);
  await expect.element(button).toBeVisible();
  advance(1);
  await expect.element(button).not.toBeInTheDocument();
});

test("toast: an error interrupts a screen reader and stays until it is closed", async () => {
  const advance = holdTimers();
  const onClose = vi.fn();
  render(messages);
  toast({ text: "That did not work", tone: "error", onClose });
  await expect.element(page.getByRole("alert").getByText("That did not work")).toBeInTheDocument();
  advance(600_000);
  await userEvent.click(page.getByRole("button", { name: "Close" }));
  expect(onClose).toHaveBeenCalledOnce();
  await expect.element(page.getByRole("button", { name: "Close" })).not.toBeInTheDocument();
});

test("skeleton: its boxes appear after 200 ms, and screen readers get one sentence after a second", async () => {
  const advance = holdTimers();
  render(
    <>
      <Skeleton label="the test">
        <SkeletonPart kind="row" />
      </Skeleton>
      <LiveRegion />
    </>,
  );
  const box = document.querySelector("[data-kind=row]") as HTMLElement;
  const [appears] = box.getAnimations();
  const opacityAt = (ms: number) => {
    appears!.pause();
    appears!.currentTime = ms;
    return getComputedStyle(box).opacity;
  };
  expect([opacityAt(0), opacityAt(199), opacityAt(300)]).toEqual(["0", "0", "1"]);
  const sentence = page.getByRole("status").getByText("Loading the test");
  advance(999);
  await expect.element(sentence).not.toBeInTheDocument();
  advance(1);
  await expect.element(sentence).toBeInTheDocument();
});

test("toast: it is shown in the page when its dialog closes at the same time", async () => {
  let sent = 0;
  function Invite() {
    const [isOpen, setOpen] = useState(true);
    const send = () => {
      sent = toast({ text: "Invitation sent", duration: 600_000 });
      setOpen(false);
    };
    return (
      <>
        {messages}
        {isOpen && (
          <Dialog onClose={send}>
            <DialogTitle>Invite</DialogTitle>
            <DialogBody>
              <Button onClick={send}>Send</Button>
            </DialogBody>
          </Dialog>
        )}
      </>
    );
  }
  render(<Invite />);
  await userEvent.click(page.getByRole("button", { name: "Send" }));
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
  const shown = page
    .getByText("Invitation sent")
    .elements()
    .find((element) => element.closest("[popover]"));
  expect(shown?.closest("[popover]")?.matches(":popover-open")).toBe(true);
  dismissToast(sent);
});
