module.exports = {
  // The list of runs is at `/review/`, which Next would lead to `/review`, and the pages back.
  skipTrailingSlashRedirect: true,
  // Read from node_modules, not bundled.
  serverExternalPackages: ['durable-reflection', '@temporalio/client', '@temporalio/common', '@temporalio/proto'],
};
