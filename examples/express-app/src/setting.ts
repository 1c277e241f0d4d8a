// src/setting.ts
import { createClient, type Client } from "@manifold-analytics/client";

/** Returns a setting, which `.env` contains. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set. Add it to .env`);
}

/** Opens a client with the owner's key pair. The pair stays on this server: browsers get embed tokens. */
export function openClient(): Client {
  return createClient({
    url: setting("MANIFOLD_URL"),
    key: setting("MANIFOLD_KEY"),
    token: setting("MANIFOLD_TOKEN"),
  });
}
