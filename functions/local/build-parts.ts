import { writeNeeded } from "./needed.ts";

// Makes what the Worker's bundle imports and what browsers load. Wrangler runs this before it bundles the Worker. All
// parts run in one process, since a process takes longer to start than most parts take.
await Promise.all([
  writeNeeded(),
  import("../storefront/build.ts"),
  import("../console/build.ts"),
  // The documentation is made from the description.
  import("../description/build.ts").then(async () => import("../docs/build.ts")),
]);
