import { covers } from '../testing/structure/areas.cjs';
import { placeInSource } from './lint-places.mjs';

/** Takes off what does not change which object an expression gives: `!`, `as`, `?.`, parentheses. */
function bareExpression(node) {
  const inner = { TSNonNullExpression: 1, TSAsExpression: 1, TSSatisfiesExpression: 1, ChainExpression: 1 };
  return node && node.type in inner ? bareExpression(node.expression) : node;
}

/**
 * `state-writers`: files (`writers`, below `src/`) that may assign to the state of a loop and to what it consists of. There are no
 * types here, so an object counts as such if it is named `state`, has one of the `types`, is read from such an object, or is a
 * variable that is.
 */
export const stateWriters = {
  meta: { type: 'problem', schema: false },
  create(context) {
    const [{ types, writers }] = context.options;
    const file = placeInSource(context.filename, context.cwd);
    if (file === undefined || writers.some((one) => covers(one, file))) return {};
    const names = new Set(['state']);
    const written = [];
    const isState = (given) => {
      const node = bareExpression(given);
      if (node?.type === 'Identifier') return names.has(node.name);
      if (node?.type === 'LogicalExpression') return isState(node.left) || isState(node.right);
      if (node?.type === 'CallExpression')
        return node.callee.type === 'MemberExpression' && isState(node.callee.object);
      if (node?.type !== 'MemberExpression') return false;
      return (!node.computed && node.property.name === 'state') || isState(node.object);
    };
    const addNames = (pattern) => {
      if (pattern?.type === 'Identifier') names.add(pattern.name);
      else if (pattern?.type === 'AssignmentPattern') addNames(pattern.left);
      else if (pattern?.type === 'ObjectPattern') pattern.properties.forEach(({ value }) => addNames(value));
      else if (pattern?.type === 'ArrayPattern') pattern.elements.forEach(addNames);
    };
    /** Adds names of what a pattern takes out of the state, or of something that has one. */
    const addTaken = (given) => {
      const pattern = given?.type === 'AssignmentPattern' ? given.left : given;
      const annotation = pattern?.typeAnnotation?.typeAnnotation;
      if (annotation?.type === 'TSTypeReference' && types.includes(annotation.typeName.name)) addNames(pattern);
      if (pattern?.type !== 'ObjectPattern') return;
      for (const { key, value } of pattern.properties) if (key?.name === 'state') addNames(value);
    };
    const addParameters = ({ params }) => params.forEach(addTaken);
    const note = (node) => {
      const target = bareExpression(node);
      if (target?.type === 'MemberExpression') written.push({ node, object: target.object });
    };
    return {
      VariableDeclarator({ id, init }) {
        addTaken(id);
        if (isState(init)) addNames(id);
      },
      FunctionDeclaration: addParameters,
      FunctionExpression: addParameters,
      ArrowFunctionExpression: addParameters,
      AssignmentExpression: ({ left }) => note(left),
      UpdateExpression: ({ argument }) => note(argument),
      UnaryExpression({ operator, argument }) {
        if (operator === 'delete') note(argument);
      },
      CallExpression({ callee, arguments: [object] }) {
        if (callee.type !== 'MemberExpression' || callee.object.name !== 'Object') return;
        if (callee.property.name === 'assign') written.push({ node: object, object });
      },
      'Program:exit'() {
        for (const { node, object } of written) {
          if (!isState(object)) continue;
          const message = `Only ${writers.map((one) => `src/${one}`).join(' and ')} may change the state of a loop.`;
          context.report({ node, message });
        }
      },
    };
  },
};
