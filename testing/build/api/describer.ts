/** Describes a declaration for the report of the API: its name, its type and its comment, and nothing of files. */
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { updateTypeLiteralNode, updateUnionTypeNode } from 'typescript/unstable/ast/factory';
import { isTypeLiteralNode, isUnionTypeNode } from 'typescript/unstable/ast/is';
import { visitEachChild } from 'typescript/unstable/ast/visitor';
import {
  type Checker,
  NodeBuilderFlags,
  type Project,
  SignatureKind,
  type Symbol as TypeSymbol,
  SymbolFlags,
  type Type,
  type TypeReference,
} from 'typescript/unstable/sync';
import { isOwn, NAMED, ReachedTypes, typeOf } from './reached-types';

const SHOWN =
  NodeBuilderFlags.NoTruncation | NodeBuilderFlags.IgnoreErrors | NodeBuilderFlags.UseSingleQuotesForStringLiteralType;
const HIDDEN = new Set([SyntaxKind.PrivateKeyword, SyntaxKind.ProtectedKeyword]);

/** The parts of a declaration that a report looks at. */
interface DeclarationNode extends Node {
  name?: Node;
  modifiers?: readonly Node[];
  typeParameters?: readonly Node[];
  questionToken?: Node;
  dotDotDotToken?: Node;
  initializer?: Node;
}

export class Describer {
  readonly #reached: ReachedTypes;
  readonly #texts = new Map<number, string>();
  readonly #expanding = new Set<number>();
  readonly #checker: Checker;

  constructor(private readonly project: Project) {
    this.#checker = project.checker;
    this.#reached = new ReachedTypes(project.checker);
  }

  /** Declarations of this repository that the described ones lead to. A description may add to them. */
  get reached(): ReadonlySet<TypeSymbol> {
    return this.#reached.symbols;
  }

  /** What a module exports, by name, without aliases. */
  exportsOf(file: string): Map<string, TypeSymbol> {
    const source = this.project.program.getSourceFile(file);
    const module = source && this.#checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} is no module of the project.`);
    const symbols = this.#checker.getExportsOfModule(module);
    return new Map(symbols.map((each) => [each.name, this.#resolve(each)]));
  }

  describe(name: string, symbol: TypeSymbol): string {
    const parts: string[] = [];
    for (const node of this.#nodesOf(symbol)) if (isWritten(node)) this.#reached.addNode(node);
    if (symbol.flags & (SymbolFlags.Class | SymbolFlags.Interface)) parts.push(this.#describeMembers(name, symbol));
    else if (symbol.flags & SymbolFlags.TypeAlias) parts.push(this.#describeAlias(name, symbol));
    else if (symbol.flags & SymbolFlags.Enum) parts.push(`enum ${name} ${this.#show(typeOf(this.#checker, symbol))}`);
    if (symbol.flags & (SymbolFlags.Function | SymbolFlags.Variable)) {
      const kind = symbol.flags & SymbolFlags.Function ? 'function' : 'const';
      parts.push(`${kind} ${name}: ${this.#show(typeOf(this.#checker, symbol))}`);
    }
    if (parts.length === 0) throw new Error(`${name} is of a kind that the report does not know.`);
    return `${this.#doc(symbol, '')}${parts.join('\n')}`;
  }

  #nodesOf(symbol: TypeSymbol): DeclarationNode[] {
    return symbol.declarations.flatMap((each) => (each.resolve(this.project) as DeclarationNode | undefined) ?? []);
  }

  #resolve(symbol: TypeSymbol): TypeSymbol {
    return symbol.flags & SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  /** Returns whether a type is a class or an interface of a package. */
  #isForeign(type: Type): boolean {
    const symbol = type.getSymbol();
    return symbol !== undefined && (symbol.flags & NAMED) !== 0 && !isOwn(symbol);
  }

  #describeAlias(name: string, symbol: TypeSymbol): string {
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    const head = `type ${name}${this.#parametersOf(symbol)} =`;
    const members = this.#membersOf(type);
    const isPlainObject = type.isObjectType() && !type.isClassOrInterface() && !type.isTypeReference();
    const isGeneric = isPlainObject && this.#parametersOf(symbol) !== '';
    if (isPlainObject && !isGeneric && members.length > 0 && !this.#isCallable(type)) {
      this.#reached.add(type, symbol);
      return `${head} {\n${members.map((each) => this.#describeMember(each)).join('\n')}${this.#indexOf(type)}\n}`;
    }
    return `${head} ${this.#show(type, symbol)}`;
  }

  #isCallable(type: Type): boolean {
    return this.#checker.getSignaturesOfType(type, SignatureKind.Call).length > 0;
  }

  #indexOf(type: Type): string {
    const infos = this.#checker.getIndexInfosOfType(type);
    return infos.map((each) => `\n  [key: ${this.#show(each.keyType)}]: ${this.#show(each.valueType)}`).join('');
  }

  /** Properties of a type that its users may read, those that it inherits from this repository among them. */
  #membersOf(type: Type): TypeSymbol[] {
    return this.#propertiesOf(type).filter((each) => this.#isShown(each));
  }

  /** By name: the compiler gives them in an order that changes from run to run. */
  #propertiesOf(type: Type): TypeSymbol[] {
    return this.#checker.getPropertiesOfType(type).toSorted(byName);
  }

  #isShown(member: TypeSymbol): boolean {
    return !this.#nodesOf(member).some(
      ({ name, modifiers }) =>
        name?.kind === SyntaxKind.PrivateIdentifier || modifiers?.some(({ kind }) => HIDDEN.has(kind)),
    );
  }

  #describeMembers(name: string, symbol: TypeSymbol): string {
    const type = this.#checker.getDeclaredTypeOfSymbol(symbol);
    const isClass = (symbol.flags & SymbolFlags.Class) !== 0;
    const bases = (type.getBaseTypes() ?? []).filter((base) => this.#isForeign(base));
    const heritage = bases.length > 0 ? ` extends ${bases.map((base) => this.#show(base)).join(', ')}` : '';
    const foreign = new Set(bases.flatMap((base) => this.#checker.getPropertiesOfType(base).map(({ id }) => id)));
    const lines = this.#membersOf(type)
      .filter(({ id }) => !foreign.has(id))
      .map((each) => this.#describeMember(each));
    if (isClass) lines.unshift(...this.#describeStatics(symbol));
    const calls = isClass || !this.#isCallable(type) ? '' : `\n  ${this.#show(type, symbol)}`;
    const index = isClass ? '' : this.#indexOf(type);
    const kind = isClass ? 'class' : 'interface';
    return `${kind} ${name}${this.#parametersOf(symbol)}${heritage} {\n${lines.join('\n')}${calls}${index}\n}`;
  }

  /** The constructor of a class, where it is public, and what stands at the class itself. */
  #describeStatics(symbol: TypeSymbol): string[] {
    const constructors = this.#checker
      .getSignaturesOfType(typeOf(this.#checker, symbol), SignatureKind.Construct)
      .filter((each) => {
        const node = each.declaration?.resolve(this.project) as DeclarationNode | undefined;
        return !node?.modifiers?.some(({ kind }) => HIDDEN.has(kind));
      });
    const made = constructors.map((each) => {
      const parameters = each.getParameters().map((parameter) => this.#describeParameter(parameter));
      return `  new (${parameters.join(', ')})`;
    });
    const statics = [...symbol.getExports().values()]
      .filter((each) => each.name !== 'prototype' && this.#isShown(each))
      .toSorted(byName);
    return [...made, ...statics.map((each) => this.#describeMember(each, 'static '))];
  }

  #describeParameter(symbol: TypeSymbol): string {
    const node = symbol.valueDeclaration?.resolve(this.project) as DeclarationNode | undefined;
    const mark = node?.questionToken || node?.initializer ? '?' : '';
    return `${node?.dotDotDotToken ? '...' : ''}${symbol.name}${mark}: ${this.#show(typeOf(this.#checker, symbol))}`;
  }

  #describeMember(member: TypeSymbol, prefix = ''): string {
    const modifiers = this.#nodesOf(member).flatMap((node) => node.modifiers ?? []);
    const isReadonly = modifiers.some(({ kind }) => kind === SyntaxKind.ReadonlyKeyword);
    const mark = member.flags & SymbolFlags.Optional ? '?' : '';
    const name = member.name.startsWith('__@') ? `[${member.name.slice(3).replace(/@\d+$/, '')}]` : member.name;
    const text = `${prefix}${isReadonly ? 'readonly ' : ''}${name}${mark}: ${this.#show(typeOf(this.#checker, member))}`;
    return `${this.#doc(member, '  ')}  ${text}`;
  }

  /** The parameters of a generic declaration, as they are written. */
  #parametersOf(symbol: TypeSymbol): string {
    const { typeParameters = [] } = this.#nodesOf(symbol).find((node) => node.typeParameters) ?? {};
    for (const each of typeParameters) this.#reached.addNode(each);
    return typeParameters.length > 0 ? `<${typeParameters.map((each) => this.#print(each)).join(', ')}>` : '';
  }

  /** A comment, with its tags. */
  #doc(symbol: TypeSymbol, indent: string): string {
    const tags = symbol.getJsDocTags(this.#checker).map(({ name, text }) => `@${name} ${text ?? ''}`.trimEnd());
    const lines = [symbol.getDocumentationComment(this.#checker), ...tags].join('\n').split('\n');
    return lines
      .filter((line) => line.trim() !== '')
      .map((line) => `${indent}// ${line.trim()}\n`)
      .join('');
  }

  /**
   * The text of a type.
   *
   * @param own the alias that the type is declared by, which would be its whole text
   */
  #show(type: Type, own?: TypeSymbol): string {
    const known = own ? undefined : this.#texts.get(type.id);
    const text = known ?? this.#write(type, own);
    if (!own && this.#expanding.size === 0) this.#texts.set(type.id, text);
    return text;
  }

  #write(type: Type, own?: TypeSymbol): string {
    this.#reached.add(type, own);
    const flags = own ? SHOWN | NodeBuilderFlags.InTypeAlias : SHOWN;
    const node = this.#checker.typeToTypeNode(type, undefined, flags);
    if (!node) throw new Error(`The compiler cannot write a type: ${this.#checker.typeToString(type)}`);
    const text = this.#print(this.#sortMembers(node));
    const isComputed = text.match(/\w+(?=<)/g)?.some((name) => this.#reached.computing.has(name));
    if (!isComputed || this.#expanding.has(type.id)) return text;
    this.#expanding.add(type.id);
    const expanded = this.#expand(type);
    this.#expanding.delete(type.id);
    return expanded ?? text;
  }

  /** The text of a type without the generic aliases that compute it. */
  #expand(type: Type): string | undefined {
    if (type.isUnionType()) {
      const texts = new Set(type.getTypes().map((each) => this.#show(each)));
      return `(${[...texts].toSorted().join(' | ')})`;
    }
    if ((!type.isObjectType() && !type.isIntersectionType()) || type.isTupleType()) return undefined;
    if (type.isTypeReference()) {
      const parts = this.#checker.getTypeArguments(type as TypeReference).map((each) => this.#show(each));
      return `${type.getSymbol()?.name ?? ''}<${parts.join(', ')}>`;
    }
    if (this.#isCallable(type)) return this.#expandSignatures(type);
    const members = this.#propertiesOf(type).map((each) => this.#describeMember(each).trim());
    return members.length > 0 ? `{ ${members.join('; ')} }` : undefined;
  }

  #expandSignatures(type: Type): string | undefined {
    const signatures = this.#checker.getSignaturesOfType(type, SignatureKind.Call);
    if (signatures.some((each) => each.getTypeParameters().length > 0)) return undefined;
    const texts = signatures.map((each) => {
      const parameters = each.getParameters().map((parameter) => this.#describeParameter(parameter));
      return `(${parameters.join(', ')}) => ${this.#show(this.#checker.getReturnTypeOfSignature(each)!)}`;
    });
    return texts.join(' & ');
  }

  /** Sorts the members of unions and objects, whose order depends on where they are declared. */
  #sortMembers(node: Node): Node {
    const inner: Node = visitEachChild(node, (child) => this.#sortMembers(child));
    if (isUnionTypeNode(inner)) return updateUnionTypeNode(inner, this.#sort(inner.types));
    if (isTypeLiteralNode(inner)) return updateTypeLiteralNode(inner, this.#sort(inner.members));
    return inner;
  }

  #sort<Each extends Node>(nodes: readonly Each[]): Each[] {
    const texts = new Map(nodes.map((each) => [this.#print(each), each]));
    return [...texts.keys()].toSorted().map((text) => texts.get(text)!);
  }

  #print(node: Node): string {
    return this.project.emitter.printNode(node).replaceAll(/\s+/g, ' ');
  }
}

const byName = (a: TypeSymbol, b: TypeSymbol): number => (a.name < b.name ? -1 : 1);

/** Returns whether all names in a declaration are of types: it has no values and no bodies. */
function isWritten({ kind }: Node): boolean {
  return kind === SyntaxKind.TypeAliasDeclaration || kind === SyntaxKind.InterfaceDeclaration;
}
