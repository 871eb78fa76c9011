// Runs `market` and sends its peak memory at the end (maxRSS is in kibibytes).
await import("../market.ts");
process.send?.({ memory: process.resourceUsage().maxRSS * 1024 }, () => process.disconnect());
