/**
 * The rules of this repository that oxlint has no rule for, as an oxlint plugin: who may import whom, what domain code may not
 * read, who may change the state of a loop, and how functions are named and described. The tables are in `.oxlintrc.json`, with the other rules.
 */
import path from 'node:path';
import { areaOf, covers, folderOf } from '../testing/structure/areas.cjs';
import language from '../testing/structure/language.cjs';
import { placeInSource } from './lint-places.mjs';
import { stateWriters } from './lint-state-writers.mjs';

const allTypes = (specifiers, kind) => specifiers.length > 0 && specifiers.every((one) => one[kind] === 'type');

/** Calls `check(node, specifier, typeOnly)` for everything that names another module. */
function importVisitors(check) {
  return {
    ImportDeclaration(node) {
      check(node, node.source.value, node.importKind === 'type' || allTypes(node.specifiers, 'importKind'));
    },
    ExportNamedDeclaration(node) {
      if (!node.source) return;
      check(node, node.source.value, node.exportKind === 'type' || allTypes(node.specifiers, 'exportKind'));
    },
    ExportAllDeclaration(node) {
      check(node, node.source.value, node.exportKind === 'type');
    },
    ImportExpression(node) {
      check(node, node.source.value, false);
    },
    TSImportType(node) {
      check(node, node.source?.value, true);
    },
    TSImportEqualsDeclaration(node) {
      if (node.moduleReference.type !== 'TSExternalModuleReference') return;
      check(node, node.moduleReference.expression.value, node.importKind === 'type');
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type === 'Identifier' && callee.name === 'require') check(node, node.arguments[0]?.value, false);
    },
  };
}

/**
 * `arrows`: areas of `src/` (a folder, or a file without its ending) with what each may import: `values` and `types` of
 * other areas, `outside`: files outside of `src/`, and `packages`, where an area may not use every package. A folder inside of
 * an area may be an area of its own, which the outer one does not include. `*` in the name of an area is any one folder, and
 * in the rights of such an area the same folder. An area that is not in the table imports nothing of the others.
 */
const arrows = {
  meta: { type: 'problem', schema: false },
  create(context) {
    const [table] = context.options;
    const file = placeInSource(context.filename, context.cwd);
    if (file === undefined) return {};
    const areas = Object.keys(table);
    const area = areaOf(areas, file);
    const rights = table[area] ?? {};
    const folder = folderOf(area, file);
    // The folder that `*` is in the name of the area.
    const own = area.includes('*') ? folder.split('/')[area.split('/').indexOf('*')] : '*';
    const depth = (name) => name.split('/').length;
    const offers = (allowed, target) => {
      const other = areaOf(areas, target);
      return covers(allowed.replace('*', own), target) && (other === allowed || depth(other) < depth(allowed));
    };
    return importVisitors((node, specifier, typeOnly) => {
      if (typeof specifier !== 'string') {
        context.report({ node, message: 'An import must name its module as a plain string.' });
      } else if (/^\.{1,2}(?:\/|$)/.test(specifier)) {
        const resolved = path.resolve(path.dirname(context.filename), specifier);
        const target = placeInSource(resolved, context.cwd);
        if (target === undefined) {
          const outside = path.relative(context.cwd, resolved).split(path.sep).join('/');
          if (rights.outside?.includes(outside)) return;
          context.report({ node, message: `src/${area} may not import ${outside}: it stands outside of src.` });
        } else if (folderOf(areaOf(areas, target), target) !== folder) {
          const allowed = [...(rights.values ?? []), ...(typeOnly ? (rights.types ?? []) : [])];
          if (allowed.some((one) => offers(one, target))) return;
          const typesWouldDo = (rights.types ?? []).some((one) => offers(one, target));
          const what = typesWouldDo ? `only types of src/${target}` : `nothing of src/${target}`;
          context.report({ node, message: `src/${area} may import ${what}; it may import ${rightsText(rights)}.` });
        }
      } else if (rights.packages && !rights.packages.includes(specifier)) {
        context.report({
          node,
          message: `src/${area} may not import ${specifier}; it may import ${rightsText(rights)}.`,
        });
      }
    });
  },
};

/**
 * `floors`: folders of an area from the lowest to the highest, those of one floor together. A file imports, types included,
 * from its own folder and from lower floors. A folder that is in no list imports nothing, and nobody imports it; nor does
 * anybody in a folder import files that stand beside the folders. `contract` has no floor: who may import it, the arrows say.
 */
const floors = {
  meta: { type: 'problem', schema: false },
  create(context) {
    const [table] = context.options;
    const file = placeInSource(context.filename, context.cwd);
    const [area, folder, ...rest] = (file ?? '').split('/');
    const order = table[area];
    if (!order || rest.length === 0 || folder === 'contract') return {};
    const floorOf = (name) => order.findIndex((floor) => floor.includes(name));
    return importVisitors((node, specifier) => {
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const target = placeInSource(path.resolve(path.dirname(context.filename), specifier), context.cwd);
      const [otherArea, other] = (target ?? '').split('/');
      if (otherArea !== area || other === folder || other === 'contract') return;
      const floor = floorOf(other);
      if (floor !== -1 && floor < floorOf(folder)) return;
      const message = `src/${area}/${folder} may import lower floors of src/${area} only, and src/${target} is none of them.`;
      context.report({ node, message });
    });
  },
};

/**
 * `besides`: folders beside `src` with the folders and files of the project, without their endings, that each may import from
 * besides its own. A folder that is not in the table imports what it likes.
 */
const besides = {
  meta: { type: 'problem', schema: false },
  create(context) {
    const [table] = context.options;
    const place = (file) => path.relative(context.cwd, file).split(path.sep).join('/');
    const [folder] = place(context.filename).split('/');
    if (!table[folder]) return {};
    const allowed = [folder, ...table[folder]];
    return importVisitors((node, specifier) => {
      if (typeof specifier !== 'string' || !specifier.startsWith('.')) return;
      const target = place(path.resolve(path.dirname(context.filename), specifier));
      if (allowed.some((one) => covers(one, target) || covers(one, target.replace(/\.(?:[cm]?[jt]s|json)$/, ''))))
        return;
      const message = `${folder} may not import ${target}; it may import from ${table[folder].join(', ')}.`;
      context.report({ node, message });
    });
  },
};

function rightsText({ values = [], types = [], packages }) {
  const parts = [
    ...values.map((one) => `src/${one}`),
    ...types.map((one) => `types of src/${one}`),
    ...(packages ?? ['any package']),
  ];
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}

/** `export *` hides what a module offers, and pulls everything behind it into the workflow bundle. */
const noExportAll = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    return {
      ExportAllDeclaration(node) {
        context.report({ node, message: 'Name what is exported instead of `export *`.' });
      },
    };
  },
};

/** `new Date()` without an argument reads the clock. */
const noCurrentDate = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const check = (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0) {
        context.report({ node, message: 'Take the time as an argument instead of reading the clock.' });
      }
    };
    return { NewExpression: check, CallExpression: check };
  },
};

/** `docstring-opening`: a docstring begins with a verb or with a noun phrase, not with the words of docstring-openings.txt. */
const docstringOpening = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (comment.type !== 'Block' || !comment.value.startsWith('*')) continue;
          const opening = language.forbiddenOpening(comment.value);
          if (opening === undefined) continue;
          const message = `A docstring begins with a verb or with a noun phrase, not with "${opening}".`;
          context.report({ loc: comment.loc, message });
        }
      },
    };
  },
};

/** `function-names`: no participle, and a verb of verbs.txt in front where the declared return type is empty. */
const functionNames = {
  meta: { type: 'suggestion', schema: [] },
  create(context) {
    const check = (id, fn) => {
      if (id?.type !== 'Identifier' && id?.type !== 'PrivateIdentifier') return;
      if (language.isParticiple(id.name)) {
        const message = `${id.name} is a participle: name what the function does, or what it returns.`;
        context.report({ node: id, message });
      } else if (language.returnsNothing(fn.returnType) && !language.beginsWithVerb(id.name)) {
        const message = `${id.name} returns nothing, so its name begins with a verb (test/repository/language/verbs.txt).`;
        context.report({ node: id, message });
      }
    };
    const checkMethod = ({ key, value, kind, method, computed }) => {
      if (!computed && (kind === 'method' || method)) check(key, value);
    };
    return {
      FunctionDeclaration: (node) => check(node.id, node),
      VariableDeclarator({ id, init }) {
        if (['ArrowFunctionExpression', 'FunctionExpression'].includes(init?.type)) check(id, init);
      },
      MethodDefinition: checkMethod,
      Property: checkMethod,
    };
  },
};

/** `evaluator-types`: no `type` is compared with a name of `types`, and no list has such names alone: evaluator-traits.ts says what they are. */
const evaluatorTypes = {
  meta: { type: 'problem', schema: false },
  create(context) {
    const [{ types }] = context.options;
    const isName = (node) => node?.type === 'Literal' && types.includes(node.value);
    const isType = (node) =>
      node.type === 'ChainExpression'
        ? isType(node.expression)
        : node.type === 'MemberExpression'
          ? node.property.name === 'type'
          : node.name === 'type';
    const message = 'Ask the traits of an evaluator (src/loop/spec/evaluator-traits.ts) instead of its type.';
    const check = (node, isFound) => isFound && context.report({ node, message });
    return {
      BinaryExpression: (node) =>
        check(node, (isType(node.left) && isName(node.right)) || (isName(node.left) && isType(node.right))),
      SwitchStatement: (node) => check(node, isType(node.discriminant) && node.cases.some(({ test }) => isName(test))),
      ArrayExpression: (node) => check(node, node.elements.length > 1 && node.elements.every(isName)),
    };
  },
};

const plugin = {
  meta: { name: 'repository' },
  rules: {
    arrows,
    floors,
    besides,
    'no-export-all': noExportAll,
    'no-current-date': noCurrentDate,
    'docstring-opening': docstringOpening,
    'function-names': functionNames,
    'state-writers': stateWriters,
    'evaluator-types': evaluatorTypes,
  },
};
export default plugin;
