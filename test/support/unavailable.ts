/** Stands for a queue or a KV namespace: a Worker that answers none of their calls, so that each of them fails. */
addEventListener("fetch", (event) => event.respondWith(new Response("out of order", { status: 503 })));
