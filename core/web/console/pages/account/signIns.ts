import { html, type ReactiveControllerHost, type TemplateResult } from "lit";
import type { Api } from "../../api/index.ts";
import { writeAgo, writeInstant } from "../../language/index.ts";
import { createLoad, notify, notifyFailure } from "../../parts/index.ts";
import type { Session, SignInTried } from "./account.ts";
import { nameDevice } from "./nameDevice.ts";
import { words } from "./words.ts";

type Rows<Row> = { readonly rows: readonly Row[] };

/** The reader's sessions and past sign-ins, as sections of the page. */
export interface SignIns {
  start(): Promise<void>;
  render(): TemplateResult;
}

const wayOf = (way: string): string =>
  Object.entries(words.ways).find(([name]) => name === way)?.[1] ?? way;

/** Creates the sections with sessions and sign-ins for an element. */
export function createSignIns(host: ReactiveControllerHost, api: () => Api): SignIns {
  const load = createLoad(host, async () => {
    const [sessions, history] = await Promise.all([
      api().account<Rows<Session>>("sessions"),
      api().account<Rows<SignInTried>>("history"),
    ]);
    return { sessions: sessions.rows, history: history.rows };
  });
  const end = async (members: object) => {
    try {
      const { count } = await api().account<{ readonly count: number }>("sessions/end", {
        ...members,
      });
      notify({ text: "id" in members ? words.ended : words.othersEnded(count) });
      await load.start();
    } catch (failure) {
      notifyFailure(failure);
    }
  };
  const renderSession = (session: Session): TemplateResult => {
    const { id, device, address, way, begun_at: begun, last_used_at: used, current } = session;
    const name = device === null ? words.program : nameDevice(device);
    return html`<li>
      <div>
        <div>${name} ${current ? html`<span class="badge good">${words.current}</span>` : ""}</div>
        <div class="small muted">
          ${wayOf(way)} · ${address ?? words.unknown} · ${words.begun} ${writeInstant(begun)} ·
          ${words.lastUsed} ${writeAgo(used)}
        </div>
      </div>
      ${
        current
          ? ""
          : html`<button
              class="button"
              aria-label=${words.endSession(name)}
              @click=${() => void end({ id })}
            >
              ${words.end}
            </button>`
      }
    </li>`;
  };
  const renderSignIn = ({ at, outcome, ways, address }: SignInTried): TemplateResult =>
    html`<li>
      <div>
        <div>${writeInstant(at)}</div>
        <div class="small muted">${ways.map(wayOf).join(" + ")} · ${address ?? words.unknown}</div>
      </div>
      <span class="badge ${outcome === "failed" ? "bad" : "good"}">${words.outcomes[outcome]}</span>
    </li>`;
  return {
    start: () => load.start(),
    render: () =>
      load.show(
        ({ sessions, history }) =>
          html`<section class="surface" aria-labelledby="account-sessions">
              <div class="row">
                <h2 class="grow" id="account-sessions">${words.sessions}</h2>
                <button
                  class="button"
                  ?disabled=${sessions.every(({ current }) => current)}
                  @click=${() => void end({ others: true })}
                >
                  ${words.endOthers}
                </button>
              </div>
              <ul>
                ${sessions.map(renderSession)}
              </ul>
            </section>
            <section class="surface" aria-labelledby="account-history">
              <h2 id="account-history">${words.history}</h2>
              ${
                history.length === 0
                  ? html`<p class="muted">${words.noHistory}</p>`
                  : html`<ul>
                      ${history.slice(0, 20).map(renderSignIn)}
                    </ul>`
              }
            </section>`,
      ),
  };
}
