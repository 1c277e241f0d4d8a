// src/addUsers.ts
import { addUser } from "./users.ts";

for (const user of [
  { email: "ann@acme.example", name: "Ann", customerId: "acme" },
  { email: "bob@boreal.example", name: "Bob", customerId: "boreal" },
])
  console.log(`${user.email} signs in with the password ${await addUser(user)}`);
