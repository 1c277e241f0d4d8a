import * as assert from "uvu/assert";
import {
  allowedSources,
  parseNetwork,
  parseOrigin,
  refusedSource,
} from "../../../../../core/identity/access/tokens/callSource.ts";
import { suite } from "../../../../support/suite.ts";

suite("core/identity/access/tokens/callSource", (test) => {
  test("an origin is parsed into the form that browsers send, and any other string is refused", () => {
    assert.is(parseOrigin("https://App.Example.com"), "https://app.example.com");
    assert.is(parseOrigin("https://app.example.com:443/"), "https://app.example.com");
    assert.is(parseOrigin("http://localhost:8080"), "http://localhost:8080");
    for (const text of [
      "app.example.com",
      "*",
      "null",
      "https://",
      "https://*",
      "https://a.example/path",
      "https://user@a.example",
      "https://a.example?x",
      "ftp://a.example",
      "javascript:alert(1)",
      "https://a b",
      "",
    ])
      assert.is(parseOrigin(text), undefined, text);
  });

  test("a network is an address with an optional prefix, and an invalid prefix is refused", () => {
    assert.equal(parseNetwork("203.0.113.7"), {
      address: "203.0.113.7",
      prefix: 32,
      family: "ipv4",
    });
    assert.equal(parseNetwork("2001:db8::/32"), {
      address: "2001:db8::",
      prefix: 32,
      family: "ipv6",
    });
    for (const text of [
      "203.0.113.0/33",
      "::/129",
      "203.0.113",
      "host",
      "1.2.3.4/",
      "1.2.3.4/-1",
      "fe80::1%eth0",
      "",
    ])
      assert.is(parseNetwork(text), undefined, text);
  });

  const from = (address: string, origin?: string) => ({ address, origin });

  test("a token without lists of addresses and origins works from any address and origin", () => {
    assert.is(refusedSource(allowedSources(null, null), undefined), undefined);
  });

  test("an address list accepts exactly the addresses in its networks, including IPv4 addresses mapped to IPv6", () => {
    const allowed = allowedSources(null, ["203.0.113.0/24", "2001:db8::/32", "198.51.100.9"]);
    for (const address of ["203.0.113.255", "::ffff:203.0.113.1", "2001:db8:1::9", "198.51.100.9"])
      assert.is(refusedSource(allowed, from(address)), undefined, address);
    for (const address of ["203.0.114.0", "::ffff:198.51.100.8", "2001:db9::1", "::1"])
      assert.is(
        refusedSource(allowed, from(address)),
        `the address ${address.replace("::ffff:", "")}`,
      );
    assert.is(refusedSource(allowed, from("")), "the address of this call");
    assert.is(refusedSource(allowed, undefined), "the address of this call");
  });

  test("an organization's networks apply in addition to the token's own networks", () => {
    const allowed = allowedSources(null, ["203.0.113.0/24"], ["203.0.113.0/28"]);
    assert.is(refusedSource(allowed, from("203.0.113.15")), undefined);
    assert.match(
      refusedSource(allowed, from("203.0.113.16")) ?? "",
      /^the address 203\.0\.113\.16, which is not in the allowed_addresses of its organization/,
    );
  });

  test("a list of origins accepts only calls from these origins, and refuses calls without an origin", () => {
    const allowed = allowedSources(["https://app.example.com"], null);
    assert.is(refusedSource(allowed, from("::1", "https://app.example.com")), undefined);
    for (const origin of ["https://app.example.com.evil.test", "http://app.example.com", "null"])
      assert.is(refusedSource(allowed, from("::1", origin)), `the origin ${origin}`);
    assert.is(refusedSource(allowed, from("::1")), "outside a page");
  });

  test("an address list without valid networks accepts no address", () => {
    assert.is(
      refusedSource(allowedSources(null, ["broken"]), from("1.2.3.4")),
      "the address 1.2.3.4",
    );
  });
});
