import * as assert from "uvu/assert";
import { isMetadataAddress, isPublicAddress } from "../../../../core/sources/connections/index.ts";
import { suite } from "../../../support/suite.ts";

suite("core/sources/connections/isPublicAddress", (test) => {
  for (const address of [
    "1.1.1.1",
    "8.8.8.8",
    "93.184.215.14",
    "100.63.255.255",
    "100.128.0.1",
    "168.63.129.15",
    "168.63.129.17",
    "172.15.255.255",
    "172.32.0.1",
    "192.0.1.1",
    "198.17.255.255",
    "198.20.0.1",
    "223.255.255.255",
    "2606:2800:21f:cb07::1",
    "2a00:1450:4001::1",
    "2001:4860:4860::8888",
    "2001:200::1",
    "3fff:1000::1",
  ])
    test(`the address ${address} is public`, () => assert.is(isPublicAddress(address), true));

  for (const address of [
    "0.0.0.0",
    "0.1.2.3",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.0.9",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "::ffff:7f00:1",
    "::127.0.0.1",
    "0:0:0:0:0:0:127.0.0.1",
    "0:0:0:0:0:ffff:a9fe:a9fe",
    "64:ff9b::808:808",
    "64:ff9b:1::1",
    "100::1",
    "100:0:0:1::1",
    "1fff:ffff::1",
    "2001::1",
    "2001:0:53aa:64c:0:0:0:1",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:30::1",
    "2001:1ff:ffff::1",
    "2001:db8::1",
    "2002:808:808::1",
    "3ffe::1",
    "3fff::1",
    "4000::1",
    "5f00::1",
    "8000::1",
    "fc00::1",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:2800:21f:cb07::1%eth0",
    "fec0::1",
    "ff02::1",
    "FD00:EC2::254",
    "",
    "localhost",
    "127.1",
    "1.2.3",
    "[::1]",
  ])
    test(`the address ${JSON.stringify(address)} is not public`, () => {
      assert.is(isPublicAddress(address), false);
    });

  for (const address of [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd00:0ec2:0:0:0:0:0:254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fe80::a9fe:a9fe%eth0",
    "::ffff:169.254.169.254",
    "0:0:0:0:0:ffff:a9fe:a9fe",
    "::169.254.169.254",
    "64:ff9b::169.254.169.254",
    "64:ff9b:1::a83f:8110",
    "2002:a83f:8110::1",
  ])
    test(`${address} is the address of a cloud metadata service, and not public`, () => {
      assert.is(isMetadataAddress(address), true);
      assert.is(isPublicAddress(address), false);
    });

  for (const address of [
    "127.0.0.1",
    "10.0.0.1",
    "100.100.100.201",
    "::1",
    "fd00::1",
    "8.8.8.8",
    "",
  ])
    test(`${JSON.stringify(address)} is not the address of a cloud metadata service`, () => {
      assert.is(isMetadataAddress(address), false);
    });
});
