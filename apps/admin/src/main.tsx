import "@marketday/ui/styles/base.css";
import "@marketday/ui/styles/admin-tokens.css";
import "./app/admin.css";
import { BrowserRouter } from "@marketday/client/browser-router.tsx";
import { reportRecovered } from "@marketday/client/chunk-retry.ts";
import { keepFocus } from "@marketday/client/keep-focus.ts";
import { queryClient } from "@marketday/client/query-client.ts";
import { RootBoundary } from "@marketday/client/root-boundary.tsx";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import * as t from "#messages/shell";

import { App } from "./app/app.tsx";
import { findSessionOnReturn, followPerson } from "./features/session/api.ts";
import { watchInput } from "./lib/activity.ts";

if (!document.documentElement.hasAttribute("data-old-browser")) {
  keepFocus();
  watchInput(globalThis);
  followPerson(queryClient);
  findSessionOnReturn(queryClient);
  createRoot(document.getElementById("root")!, { onRecoverableError: reportRecovered }).render(
    <StrictMode>
      <RootBoundary message={t.pageFailed}>
        <QueryClientProvider client={queryClient}>
          <BrowserRouter>
            <App />
          </BrowserRouter>
        </QueryClientProvider>
      </RootBoundary>
    </StrictMode>,
  );
}
