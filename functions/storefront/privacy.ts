/** Holds the page behind an offer's privacy link, for stores that name no page of their own. */
export const PRIVACY_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Privacy of offers</title>
<style>
body{font:1rem/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#1c1917;background:#fff}
@media(prefers-color-scheme:dark){body{color:#f5f5f4;background:#1c1917}}
</style>
</head>
<body>
<main>
<h1>How offers treat your data</h1>
<p>After a purchase, a store may show you offers chosen by this service. To choose them, the store tells it facts about the order: country, language, amount, currency and how you paid.</p>
<h2>What is kept</h2>
<ul>
<li>Whether an offer was shown, opened or closed, and when.</li>
<li>A scrambled form of your session and, if the store gave it, of your e-mail address. Neither can be turned back, and with Global Privacy Control switched on in your browser neither is kept.</li>
<li>With Global Privacy Control on, for two days: a scrambled form of a part of your internet address, another for each offer and day, so that nobody pays twice.</li>
</ul>
<h2>What is not kept</h2>
<p>Your name, phone number and addresses. They are not stored at any time, and no cookie is set. Your browser remembers which offers you have answered, and forgets it when you close the tab.</p>
<h2>Your choice</h2>
<p>Declining or closing an offer has no effect on your order. To have everything that belongs to your e-mail address deleted, ask the store you ordered from.</p>
</main>
</body>
</html>
`;
