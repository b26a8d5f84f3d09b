/** Finds the declarations of this repository that a type leads to. */
import path from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  type Checker,
  SignatureKind,
  type Symbol as TypeSymbol,
  SymbolFlags,
  type Type,
  type TypeReference,
} from 'typescript/unstable/sync';

/** In lower case, as the compiler has paths on systems that do not tell upper from lower case. */
const SOURCES = path.join(__dirname, '..', '..', '..', 'src', path.sep).toLowerCase();

export const NAMED = SymbolFlags.Class | SymbolFlags.Interface | SymbolFlags.Enum;

/** Returns whether the declaration of a symbol stands in this repository. */
export function isOwn(symbol: TypeSymbol): boolean {
  return symbol.declarations.some((each) => each.path.toLowerCase().startsWith(SOURCES));
}

export function typeOf(checker: Checker, symbol: TypeSymbol): Type {
  const type = checker.getTypeOfSymbol(symbol);
  if (!type) throw new Error(`${symbol.name} has no type.`);
  return type;
}

export class ReachedTypes {
  /** The declarations, in the order in which they were met. */
  readonly symbols = new Set<TypeSymbol>();
  /** Names of the generic aliases that compute types: the report shows what they make. */
  readonly computing = new Set<string>();
  readonly #known = new Set<number>();

  constructor(private readonly checker: Checker) {}

  /** Remembers the names that a written type consists of. */
  addNode(node: Node): void {
    if (node.kind === SyntaxKind.TypeReference) {
      const type = this.checker.getTypeAtLocation(node);
      if (type) this.add(type);
    }
    node.forEachChild((child) => {
      this.addNode(child);
    });
  }

  /**
   * Remembers what a type leads to.
   *
   * @param own the alias whose type it is
   */
  add(type: Type, own?: TypeSymbol): void {
    const alias = type.getAliasSymbol();
    if (alias && alias !== own) {
      const parameters = type.getAliasTypeArguments();
      for (const each of parameters) this.add(each);
      if (isOwn(alias) && parameters.length > 0) this.computing.add(alias.name);
      if (isOwn(alias)) {
        this.symbols.add(alias);
        return;
      }
    }
    if (this.#known.has(type.id)) return;
    this.#known.add(type.id);
    if (type.isUnionType() || type.isIntersectionType()) for (const each of type.getTypes()) this.add(each);
    else if (type.isObjectType()) this.#addObject(type);
    else if (type.isIndexedAccessType()) {
      this.add(type.getObjectType());
      this.add(type.getIndexType());
    } else if (type.isConditionalType()) {
      this.add(type.getCheckType());
      this.add(type.getExtendsType());
    }
  }

  #addObject(type: Type): void {
    const symbol = type.getSymbol();
    if (type.isTypeReference()) for (const each of this.checker.getTypeArguments(type as TypeReference)) this.add(each);
    if (symbol && symbol.flags & NAMED) {
      if (isOwn(symbol)) this.symbols.add(symbol);
      return;
    }
    if (type.isTupleType()) return;
    for (const each of this.checker.getPropertiesOfType(type)) this.add(typeOf(this.checker, each));
    for (const { keyType, valueType } of this.checker.getIndexInfosOfType(type)) {
      this.add(keyType);
      this.add(valueType);
    }
    for (const kind of [SignatureKind.Call, SignatureKind.Construct]) {
      for (const signature of this.checker.getSignaturesOfType(type, kind)) {
        for (const parameter of signature.getParameters()) this.add(typeOf(this.checker, parameter));
        const result = this.checker.getReturnTypeOfSignature(signature);
        if (result) this.add(result);
        for (const parameter of signature.getTypeParameters()) {
          const constraint = this.checker.getConstraintOfTypeParameter(parameter);
          if (constraint) this.add(constraint);
        }
      }
    }
  }
}
