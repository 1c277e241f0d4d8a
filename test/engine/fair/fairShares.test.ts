import * as assert from "uvu/assert";
import { FairShares } from "../../../engine/fair/fairShares.ts";
import type { Tenant } from "../../../engine/fair/index.ts";
import { rounds } from "../../support/layer.ts";
import { createRandom, type Random, withSeed } from "../../support/random.ts";
import { suite } from "../../support/suite.ts";
import { PlainShares } from "./plainShares.ts";

/** A queue whose clock is set by the test. */
function openQueue() {
  const clock = { ms: 0 };
  const queue = new FairShares<string>({ credit: 50, patience: 30, now: () => clock.ms });
  /** Serves the next item for the given number of milliseconds. */
  const serve = (ms: number) => {
    const next = queue.next();
    if (!next) return undefined;
    queue.remove(next.tenant, next.item);
    const stop = queue.charge(next.tenant);
    clock.ms += ms;
    stop();
    return next.item;
  };
  return { clock, queue, serve };
}

/** Tenants, each with the time that it has used. Between `begin` and `end`, each tenant always has one item waiting. */
function openWork(random: Random) {
  const { clock, queue } = openQueue();
  const used = new Map<string, number>();
  const busy = new Set<string>();
  const longestMs = 20;
  const work = {
    longestMs,
    begin(name: string) {
      busy.add(name);
      queue.add({ organization: name, user: name }, name);
    },
    end(name: string) {
      busy.delete(name);
      queue.remove({ organization: name, user: name }, name);
    },
    step() {
      const next = queue.next();
      if (!next) return;
      const { tenant: who, item } = next;
      const stop = queue.charge(who);
      queue.remove(who, item);
      queue.add(who, item);
      const ms = 1 + random.below(longestMs);
      clock.ms += ms;
      used.set(item, (used.get(item) ?? 0) + ms);
      stop();
    },
  };
  return { used, work };
}

const tenant = (name: string) => ({ organization: name.slice(0, 1), user: name });

suite("engine/fair/fairShares", (test) => {
  test("the user with the least use is served next, and each user's items are served in order", () => {
    const { queue, serve } = openQueue();
    for (const item of ["a1", "a2", "a3"]) queue.add(tenant("a"), item);
    for (const item of ["b1", "b2", "b3"]) queue.add(tenant("b"), item);
    const served: (string | undefined)[] = [serve(30), serve(10), serve(10), serve(10)];
    assert.equal(served, ["a1", "b1", "b2", "b3"]);
    assert.equal([serve(1), serve(1), serve(1)], ["a2", "a3", undefined]);
    assert.is(queue.length, 0);
  });

  test("organizations get equal shares, and so do the users within each organization", () => {
    const { clock, queue: fair } = openQueue();
    const users = [...Array.from({ length: 9 }, (_, index) => `a${index}`), "b0", "c0", "c1"];
    const used = new Map<string, number>();
    for (const user of users) fair.add(tenant(user), user);
    for (let turn = 0; turn < 3000; turn++) {
      const next = fair.next();
      if (!next) throw new Error("nobody waits");
      fair.remove(next.tenant, next.item);
      const stop = fair.charge(next.tenant);
      const ms = 1 + (turn % 5);
      clock.ms += ms;
      used.set(next.item, (used.get(next.item) ?? 0) + ms);
      fair.add(next.tenant, next.item);
      stop();
    }
    const share = (name: string) => Math.round((used.get(name) ?? 0) / 100);
    assert.ok(Math.abs(share("b0") - 30) <= 1, `b0 had ${share("b0")}`);
    assert.ok(Math.abs(share("c0") - 15) <= 1, `c0 had ${share("c0")}`);
    assert.ok(Math.abs(share("a0") - 30 / 9) <= 1, `a0 had ${share("a0")}`);
  });

  test("a tenant that was idle is served before busy tenants until its credit is used up", () => {
    const { clock, queue, serve } = openQueue();
    queue.add(tenant("a"), "a1");
    queue.add(tenant("a"), "a2");
    const { item } = queue.next() ?? { item: "" };
    queue.remove(tenant("a"), item);
    const stop = queue.charge(tenant("a"));
    clock.ms += 10_000;
    queue.add(tenant("b"), "b1");
    assert.is(queue.next()?.item, "b1");
    assert.is(queue.isFarBehind(tenant("b"), tenant("a")), true);
    assert.is(queue.isFarBehind(tenant("a"), tenant("b")), false);
    queue.add(tenant("b"), "b2");
    queue.add(tenant("b"), "b3");
    stop();
    assert.equal([serve(40), serve(40), serve(40), serve(40)], ["b1", "b2", "a2", "b3"]);
  });

  test("a heavy item that has waited long is served next, and the queue still knows the next light item", () => {
    const { clock, queue } = openQueue();
    queue.add(tenant("a"), "heavy");
    clock.ms += 1000;
    queue.add(tenant("b"), "light", true);
    assert.is(queue.next()?.item, "heavy");
    assert.is(queue.nextLight()?.item, "light");
    queue.remove(tenant("b"), "light");
    assert.is(queue.nextLight(), undefined);
  });

  test("a tenant's light items go first unless the tenant is far ahead of others", () => {
    const { clock, queue } = openQueue();
    queue.add(tenant("a"), "a1", true);
    queue.add(tenant("b"), "b1");
    const stop = queue.charge(tenant("a"));
    clock.ms += 25;
    assert.is(queue.isFarAhead(tenant("a"), tenant("b")), false);
    assert.is(queue.next()?.item, "a1");
    clock.ms += 1000;
    stop();
    assert.is(queue.isFarAhead(tenant("a"), tenant("b")), true);
    assert.is(queue.isFarAhead(tenant("b"), tenant("a")), false);
    assert.is(queue.next()?.item, "b1");
  });

  test("a tenant does not count as far behind while another tenant has waited just as long", () => {
    const { clock, queue } = openQueue();
    for (const name of ["a", "b", "c"]) queue.add(tenant(name), name);
    queue.remove(tenant("a"), "a");
    const stop = queue.charge(tenant("a"));
    clock.ms += 500;
    assert.is(queue.isFarBehind(tenant("b"), tenant("a")), false, "c has waited just as long");
    queue.remove(tenant("c"), "c");
    assert.is(queue.isFarBehind(tenant("b"), tenant("a")), true);
    stop();
  });

  test("running work yields to a user of the same organization who is far behind, but not to more work of its own user", () => {
    const { clock, queue } = openQueue();
    const stop = queue.charge(tenant("a1"));
    clock.ms += 100;
    queue.add(tenant("a2"), "a2");
    queue.add(tenant("a1"), "more of a1");
    assert.is(queue.isFarBehind(tenant("a2"), tenant("a1")), true);
    assert.is(queue.isFarBehind(tenant("a1"), tenant("a1")), false);
    stop();
  });

  test("an item that has waited long goes before light items of the same user", () => {
    const { clock, queue, serve } = openQueue();
    queue.add(tenant("a"), "heavy");
    queue.add(tenant("a"), "light 1", true);
    assert.is(serve(10), "light 1");
    queue.add(tenant("a"), "light 2", true);
    clock.ms += 21;
    assert.is(serve(1), "heavy");
    assert.is(serve(1), "light 2");
    assert.is(queue.length, 0);
  });

  test("light items go before heavy items unless their tenant is far ahead", () => {
    const { queue, serve } = openQueue();
    queue.add(tenant("b"), "b heavy");
    for (const item of ["a1", "a2", "a3"]) queue.add(tenant("a"), item, true);
    assert.equal([serve(30), serve(30)], ["a1", "a2"]);
    queue.add(tenant("a"), "a heavy");
    assert.equal([serve(10), serve(1), serve(1)], ["b heavy", "a3", "a heavy"]);
  });

  test("removing items in any order does not change the order of the other items", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { queue, serve } = openQueue();
      const waiting = new Map<string, string>();
      for (let step = 0; step < 5000; step++) {
        const user = `${random.pick(["a", "b", "c"])}${random.below(100)}`;
        const items = [...waiting.keys()];
        if (random.chance(0.5)) {
          queue.add(tenant(user), `item ${step}`);
          waiting.set(`item ${step}`, user);
        } else if (items.length > 0 && random.chance(0.3)) {
          const item = random.pick(items);
          assert.is(queue.remove(tenant(waiting.get(item) ?? ""), item), true);
          assert.is(queue.remove(tenant(waiting.get(item) ?? ""), item), false);
          waiting.delete(item);
        } else {
          const served = serve(random.below(20));
          assert.is(served !== undefined, items.length > 0);
          if (served !== undefined) assert.is(waiting.delete(served), true);
        }
        assert.is(queue.length, waiting.size);
      }
      assert.equal(new Set(queue.clear()), new Set(waiting.keys()));
      assert.is(queue.length, 0);
      assert.is(queue.next(), undefined);
    });
  });

  test("background items are never next while people's items wait", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { queue, serve } = openQueue();
      const waiting = { people: 0, background: 0 };
      const served = { people: 0, background: 0 };
      for (let step = 0; step < 5000; step++) {
        if (random.chance(0.49)) {
          const kind = random.chance(0.6) ? "background" : "people";
          const isBackground = kind === "background";
          const user = `${random.pick(["a", "b"])}${random.below(3)}`;
          queue.add({ ...tenant(user), isBackground }, kind, random.chance(0.5));
          waiting[kind]++;
          continue;
        }
        const item = serve(random.below(100));
        if (item === undefined) assert.equal(waiting, { people: 0, background: 0 });
        else {
          const kind = item === "people" ? item : "background";
          if (kind === "background") assert.is(waiting.people, 0);
          waiting[kind]--;
          served[kind]++;
        }
      }
      assert.ok(served.people > 500 && served.background > 500, JSON.stringify(served));
    });
  });

  test("background work yields at once to people's work, which never yields to background work", () => {
    const { clock, queue } = openQueue();
    const background = { ...tenant("a"), isBackground: true };
    const stops = [queue.charge(background), queue.charge(tenant("a"))];
    assert.is(queue.isFarBehind(tenant("a"), background), true);
    assert.is(queue.isFarAhead(tenant("a"), background), false);
    clock.ms += 100_000;
    queue.add({ ...tenant("b"), isBackground: true }, "b");
    assert.is(queue.isFarBehind({ ...tenant("b"), isBackground: true }, tenant("a")), false);
    assert.is(queue.isFarAhead({ ...tenant("b"), isBackground: true }, tenant("a")), true);
    assert.is(queue.isFarBehind({ ...tenant("b"), isBackground: true }, background), true);
    for (const stop of stops) stop();
  });

  test("the next item is the same as in a simple simulation of fair shares", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      for (let round = 0; round < rounds({ quick: 20, deep: 400 }); round++) {
        const clock = { ms: 0 };
        const options = {
          credit: random.pick([0, 5, 50]),
          patience: random.pick([10, 30, Infinity]),
          now: () => clock.ms,
        };
        const shares = new FairShares<string>(options);
        const plain = new PlainShares(options);
        const stops: (() => void)[] = [];
        const drawTenant = (): Tenant => ({
          organization: random.pick(["a", "b", "c"]),
          user: random.pick(["u", "v", "w"]),
          ...(random.chance(0.3) && { isBackground: true }),
        });
        const acts: (() => void)[] = [
          () => (clock.ms += random.pick([1, 3, 20, 200])),
          () => {
            const tenant = drawTenant();
            const [item, isLight] = [
              `item ${plain.waiting.length} of ${clock.ms}, ${random.below(1e9)}`,
              random.chance(0.4),
            ];
            shares.add(tenant, item, isLight);
            plain.add(tenant, item, isLight);
          },
          () => {
            const next = shares.next();
            if (!next) return;
            const both = [shares.charge(next.tenant), plain.charge(next.tenant)];
            stops.push(() => both.forEach((stop) => stop()));
            assert.is(shares.remove(next.tenant, next.item), true);
            plain.remove(next.item);
          },
          () => {
            const entry = plain.waiting.length > 0 && random.pick(plain.waiting);
            if (!entry) return;
            if (random.chance(0.5)) {
              shares.pay(entry.tenant, 7);
              plain.pay(entry.tenant, 7);
            }
            assert.is(shares.remove(entry.tenant, entry.item), true);
            plain.remove(entry.item);
          },
          () => stops.splice(random.below(stops.length + 1), 1).forEach((stop) => stop()),
        ];
        for (let step = 0; step < 150; step++) {
          random.pick(acts)();
          assert.is(shares.length, plain.waiting.length);
          assert.is(shares.next()?.item, plain.next());
          assert.is(shares.nextLight()?.item, plain.nextLight()?.item);
          if (plain.waiting.length === 0 || plain.running.length === 0) continue;
          const { tenant } = random.pick(plain.waiting);
          const { tenant: than } = random.pick(plain.running);
          assert.is(shares.isFarAhead(tenant, than), plain.isFarAhead(tenant, than));
          assert.is(shares.isFarBehind(tenant, than), plain.isFarBehind(tenant, than));
        }
      }
    });
  });

  test("always busy tenants with equal shares never differ by more than one step", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { used, work } = openWork(random);
      const names = Array.from({ length: 2 + random.below(6) }, (_, index) => `${index}`);
      for (const name of names) work.begin(name);
      for (let step = 0; step < 2000; step++) {
        work.step();
        const all = names.map((name) => used.get(name) ?? 0);
        assert.ok(Math.max(...all) - Math.min(...all) <= work.longestMs, all.join());
      }
    });
  });

  test("a tenant that was idle is ahead of busy tenants by at most the credit and one step", async () => {
    const random = createRandom();
    await withSeed(random, async () => {
      const { used, work } = openWork(random);
      for (const name of ["late", "a", "b"]) work.begin(name);
      for (let round = 0; round < 20; round++) {
        for (let step = random.below(300); step > 0; step--) work.step();
        work.end("late");
        for (let step = 100 + random.below(300); step > 0; step--) work.step();
        used.clear();
        work.begin("late");
        for (let step = 0; step < 200; step++) {
          work.step();
          const [late, a, b] = ["late", "a", "b"].map((name) => used.get(name) ?? 0) as [
            number,
            number,
            number,
          ];
          assert.ok(late - Math.min(a, b) <= 50 + 2 * work.longestMs, `${late} of ${a} and ${b}`);
          assert.ok(Math.max(a, b) - late <= work.longestMs, `${late} of ${a} and ${b}`);
        }
      }
    });
  });

  test("a user's recorded use is reset while nobody else in the organization is busy", () => {
    const { queue, serve } = openQueue();
    queue.add(tenant("busy"), "b1");
    const stop = queue.charge(tenant("busy"));
    queue.add(tenant("a1"), "alone");
    queue.remove(tenant("busy"), "b1");
    assert.is(serve(10_000), "alone");
    for (const item of ["a1 first", "a1 second"]) queue.add(tenant("a1"), item);
    for (const item of ["a2 first", "a2 second"]) queue.add(tenant("a2"), item);
    const served = [serve(10), serve(10), serve(10), serve(10)];
    assert.equal(served, ["a1 first", "a2 first", "a1 second", "a2 second"]);
    stop();
  });

  test("the accounts of tenants that sent work only once are removed", () => {
    const { clock, queue } = openQueue();
    const stop = queue.charge(tenant("busy"));
    for (let stranger = 0; stranger < 10_000; stranger++) {
      const { organization } = { organization: `${stranger % 2 === 0 ? stranger : "one"}` };
      const end = queue.charge({ organization, user: `${stranger}` });
      clock.ms += 1;
      end();
    }
    assert.ok([...queue.waiting()].length <= 200, `${[...queue.waiting()].length} accounts`);
    stop();
    assert.is([...queue.waiting()].length, 0);
  });
});
