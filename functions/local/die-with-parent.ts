// This runs before wrangler. When `npm start` is killed without a chance to clean up, its channel to this process closes.
// The whole process group must then end, or the Worker would go on holding the port.
process.on("disconnect", () => process.kill(0, "SIGTERM"));
// A listener alone would keep the process from ending by itself.
process.channel?.unref();
