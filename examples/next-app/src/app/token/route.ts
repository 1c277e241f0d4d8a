// src/app/token/route.ts
import { NextResponse } from "next/server";
import { currentSession, currentUser } from "../../currentUser.ts";
import { issueToken } from "../../embedTokens.ts";

/** Issues an embed token to the signed-in user. */
export async function POST(): Promise<NextResponse> {
  const user = await currentUser();
  if (!user) return new NextResponse(null, { status: 401 });
  try {
    const issued = await issueToken(await currentSession(), user);
    const headers = { "Cache-Control": "no-store" };
    return issued
      ? NextResponse.json(issued, { headers })
      : new NextResponse(null, { status: 401 });
  } catch (failure) {
    console.error("the host issued no token:", failure);
    return new NextResponse(null, { status: 503 });
  }
}
