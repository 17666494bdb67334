/** Stands in for a queue or a KV namespace of which every call fails. */
addEventListener("fetch", (event) => event.respondWith(new Response("out of order", { status: 503 })));
