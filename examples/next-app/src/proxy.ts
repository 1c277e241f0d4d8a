// src/proxy.ts
import { type NextRequest, NextResponse } from "next/server";
import { setting } from "./setting.ts";

/** Runs before each route: refuses POSTs of other sites, and sets the Content Security Policy. */
export function proxy({ method, nextUrl, headers }: NextRequest): NextResponse {
  const isRead = method === "GET" || method === "HEAD";
  // The host has no session. Its signature says who it is.
  const isEvent = nextUrl.pathname === "/events";
  // Browsers send `Origin` with every POST, and pages cannot change it.
  if (!isRead && !isEvent && headers.get("origin") !== setting("APP_URL"))
    return new NextResponse(null, { status: 403 });
  // The development server needs scripts that this policy forbids.
  if (process.env.NODE_ENV !== "production") return NextResponse.next();

  // Next.js reads the nonce in the policy of the request, and adds it to its own scripts.
  const nonce = crypto.randomUUID();
  const policy = [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self'",
    `connect-src 'self' ${setting("MANIFOLD_URL")}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  const passed = new Headers(headers);
  passed.set("Content-Security-Policy", policy);
  const response = NextResponse.next({ request: { headers: passed } });
  response.headers.set("Content-Security-Policy", policy);
  response.headers.set("Referrer-Policy", "same-origin");
  return response;
}
