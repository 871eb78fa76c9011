// `market` as it is, which says at its end how much memory it took at the most (maxRSS is in kibibytes).
await import("../market.ts");
process.send?.({ memory: process.resourceUsage().maxRSS * 1024 }, () => process.disconnect());
