/** Matches what stands for the service in the documents: the address of `npm start`, or an example. */
const ANY_SERVICE = /http:\/\/127\.0\.0\.1:8787|https:\/\/offers\.example/g;

// Here each command and each line for a page names the service that shows it, so that it can be copied as it is.
for (const code of document.querySelectorAll("main code")) {
  code.textContent = (code.textContent ?? "").replaceAll(ANY_SERVICE, location.origin);
}
