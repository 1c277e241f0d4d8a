// src/database.ts
import { DatabaseSync } from "node:sqlite";

const schema = `
  create table if not exists users (
    email text primary key, name text, customer_id text, salt text, password_hash blob);
  create table if not exists sessions (
    id text primary key, email text references users, expires_at integer);
  create table if not exists tokens (
    id text primary key, session_id text references sessions on delete cascade);
  create table if not exists late_parcels (
    customer_id text primary key, late_count integer, reported_at text);`;

let opened: DatabaseSync | undefined;

/** Returns the app's own database, with its users, their sessions, and what the host reported. */
export function database(): DatabaseSync {
  if (opened) return opened;
  opened = new DatabaseSync(process.env["DATABASE"] ?? "app.db");
  opened.exec(`pragma journal_mode = wal; ${schema}`);
  return opened;
}
