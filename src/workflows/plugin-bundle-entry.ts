/**
 * The content of a bundle that is made with `ReflectionPlugin`: the workflows of its worker's owner, and ours. The plugin
 * gives the owner's file this name while the bundle is made; nothing but a bundle can load this module. A name that both
 * export is the owner's: an owner who exports a `reflectionLoop` of their own intends it.
 */
const { replacedNames } = require('./replaced-names') as typeof import('./replaced-names');
const ours = require('.') as Record<string, unknown>;
// oxlint-disable-next-line repository/arrows -- no package: the plugin says what it is.
const yours = require('__durable_reflection_your_workflows') as Record<string, unknown>;

for (const [name, workflow] of Object.entries(ours)) {
  if (Object.hasOwn(yours, name) && yours[name] !== workflow) replacedNames.add(name);
}

// The worker looks for this name in bundles that were made in advance.
module.exports = { ...ours, ...yours, __durable_reflection_workflows: true };
