/** For `failureConverterPath` of a data converter, and of `bundleWorkflowCode` for a bundle that is built beforehand. */
export const failureConverterPath = require.resolve('./failure-converter');
