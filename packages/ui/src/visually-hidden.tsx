import type { ReactNode } from "react";

/** Words for those who do not see the picture. */
export const VisuallyHidden = ({ children }: { children: ReactNode }) => <span className="sr">{children}</span>;
