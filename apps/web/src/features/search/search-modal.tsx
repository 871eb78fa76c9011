import { DialogBar, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { useId, useRef } from "react";

import type { ModalProps, Modal } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { SearchInput } from "./search-input.tsx";
import SearchList from "./search-list.tsx";
import { useSearchBox } from "./use-search-box.ts";
import { useShownSearch } from "./use-shown-search.ts";

const stayOpen = () => {};

/** The search on a phone, in a sheet. Its result replaces it, so that Back skips it. */
export default function SearchModal(_modal: ModalProps<Extract<Modal, { kind: "search" }>>) {
  const { replaceWith } = useNavigation();
  const shown = useShownSearch();
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const box = useSearchBox({ ...shown, isOpen: true, setOpen: stayOpen, onGo: replaceWith });
  const listId = `${id}-list`;
  return (
    <>
      <DialogTitle hidden>Search</DialogTitle>
      <DialogBar>
        <SearchInput box={box} id={id} listId={listId} isOpen onOpen={stayOpen} input={input} autofocus />
      </DialogBar>
      <DialogBody>
        <SearchList box={box} listId={listId} />
      </DialogBody>
    </>
  );
}
