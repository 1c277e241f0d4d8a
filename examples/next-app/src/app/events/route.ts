// src/app/events/route.ts
import { NextResponse } from "next/server";
import { storeEvent } from "../../lateParcels.ts";
import { setting } from "../../setting.ts";
import { verifyEvent } from "../../verifyEvent.ts";

/** Receives an event of the host. Its signature covers the bytes of the body. */
export async function POST(request: Request): Promise<NextResponse> {
  const event = verifyEvent(setting("EVENTS_SECRET"), {
    id: request.headers.get("webhook-id") ?? "",
    sentAt: request.headers.get("webhook-timestamp") ?? "",
    signatures: request.headers.get("webhook-signature") ?? "",
    body: Buffer.from(await request.arrayBuffer()),
  });
  if (!event) return new NextResponse(null, { status: 401 });
  storeEvent(event);
  return new NextResponse(null, { status: 204 });
}
