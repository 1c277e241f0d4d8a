// src/app/layout.tsx
import type { ReactNode } from "react";
import { currentUser } from "../currentUser.ts";
import { customerOf } from "../customers.ts";
import "./page.css";

export default async function Layout({ children }: { readonly children: ReactNode }) {
  const user = await currentUser();
  const customer = user && customerOf(user.customerId);
  return (
    <html lang={customer?.localeId ?? "en"}>
      <body className={customer?.theme.type ?? "light"}>{children}</body>
    </html>
  );
}
