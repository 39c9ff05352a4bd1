import sdk = require('@backline/sdk')

/** A CommonJS module: `require` loads ES modules since Node 20.19. */
export = new sdk.Backline({ apiKey: 'bkl_test_1' })
