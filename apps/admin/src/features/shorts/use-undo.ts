import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { announce } from "@marketday/ui/live-region.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";

import * as t from "#messages/shorts";

import { call } from "../../lib/api.ts";

/** Takes back the settlement of an item while it is held. Twice is once. */
export function useUndo(actionId: number, title: string) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(calls.undoAction, { params: { id: actionId } }),
    onSuccess: () => announce(t.undone(title)),
    onError: (error) =>
      toast({
        tone: "error",
        text: error instanceof ApiError && error.isOffline ? t.undoUnknown : t.undoFailed(messageOf(error)),
      }),
    onSettled: async () => {
      void client.invalidateQueries({ queryKey: ["actions"] });
      await client.invalidateQueries({ queryKey: ["day"] });
    },
  });
  return {
    undo: () => {
      if (!isPending) mutate();
    },
    isUndoing: isPending,
  };
}
