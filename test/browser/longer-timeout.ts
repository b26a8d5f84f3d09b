/** A browser and a server of its own take their time to start. */
jest.setTimeout(120_000);
