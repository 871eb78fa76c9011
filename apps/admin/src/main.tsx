import "@marketday/ui/styles/base.css";
import "@marketday/ui/styles/admin-tokens.css";
import { BrowserRouter } from "@marketday/client/browser-router.tsx";
import { queryClient } from "@marketday/client/query-client.ts";
import { RootBoundary } from "@marketday/client/root-boundary.tsx";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import * as t from "#messages/shell";

import { App } from "./app/app.tsx";

createRoot(document.getElementById("root")!).render(
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
