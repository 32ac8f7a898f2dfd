import type {
  ArrayExpression,
  BlockStatement,
  Expression,
  Literal,
  LogicalExpression,
  MemberExpression,
  ObjectExpression,
  Property,
  TemplateLiteral,
} from 'acorn';
import { bailOut } from './bail-out.js';
import { compileCall } from './compile-call.js';
import { compileNewDate } from './compile-date.js';
import { compileName, compileVariable } from './compile-name.js';
import { compileList, spreadInto } from './compile-spread.js';
import type { DirectEnvironment } from './direct-environment.js';
import { readMember, toMemberName } from './members.js';
import { binaryOperations, primitive, unaryOperations } from './operators.js';
import { copyOut } from './plain-data.js';
import type { Run } from './run.js';
import { SKIPPED } from './skipped.js';

/** An expression, ready to be evaluated. Bails out of what it cannot answer exactly as the sandbox would. */
export type Evaluator = (run: Run) => unknown;

/** Deeper nesting is left to the sandbox, whose stack decides. */
const MAX_NESTING = 40;

/**
 * Compiles expressions into closures. Whatever is not listed here bails out when it is compiled, so nothing is evaluated
 * that was not foreseen.
 */
export class ExpressionCompiler {
  private nesting = 0;

  constructor(
    readonly environment: DirectEnvironment,
    /** Compiles the statements of a function; it answers what they return. */
    readonly compileBody: (body: BlockStatement, compiler: ExpressionCompiler) => Evaluator,
  ) {}

  compile(node: Expression): Evaluator {
    return this.nested(() => this.compileNode(node));
  }

  /** The same for a value that leaves: a copy that shares nothing with the workflow. */
  compileResult(node: Expression): Evaluator {
    return this.nested(() => {
      switch (node.type) {
        case 'ParenthesizedExpression':
          return this.compileResult(node.expression);
        case 'ObjectExpression':
          return this.compileObject(node, (n) => this.compileResult(n));
        case 'ArrayExpression':
          return this.compileArray(node, (n) => this.compileResult(n));
        default: {
          const evaluate = this.compileNode(node);
          return (run) => copyOut(evaluate(run), run);
        }
      }
    });
  }

  private nested(compile: () => Evaluator): Evaluator {
    if (++this.nesting > MAX_NESTING) bailOut();
    const evaluator = compile();
    this.nesting--;
    return evaluator;
  }

  private compileNode(node: Expression): Evaluator {
    switch (node.type) {
      case 'Literal':
        return constant(valueOf(node));
      case 'Identifier':
        return compileName(node, this.environment);
      case 'ParenthesizedExpression':
        return this.compile(node.expression);
      case 'TemplateLiteral':
        return this.compileTemplate(node);
      case 'MemberExpression':
        return this.compileMember(node);
      case 'CallExpression':
        return compileCall(node, this);
      case 'NewExpression':
        return compileNewDate(node, this);
      case 'ChainExpression': {
        const chain = this.compile(node.expression);
        return (run) => {
          const value = chain(run);
          return value === SKIPPED ? undefined : value;
        };
      }
      case 'UnaryExpression': {
        const apply = unaryOperations.get(node.operator) ?? bailOut();
        const value = this.compile(node.argument);
        return (run) => apply(value(run));
      }
      case 'BinaryExpression': {
        if (node.left.type === 'PrivateIdentifier') return bailOut();
        const apply = binaryOperations.get(node.operator) ?? bailOut();
        const left = this.compile(node.left);
        // As in most comparisons: what is written out needs no evaluation.
        if (node.right.type === 'Literal') {
          const value = valueOf(node.right);
          return (run) => apply(left(run), value, run);
        }
        const right = this.compile(node.right);
        return (run) => apply(left(run), right(run), run);
      }
      case 'LogicalExpression':
        return this.compileLogical(node);
      case 'ConditionalExpression': {
        const test = this.compile(node.test);
        const consequent = this.compile(node.consequent);
        const alternate = this.compile(node.alternate);
        return (run) => (test(run) ? consequent(run) : alternate(run));
      }
      case 'ObjectExpression':
        return this.compileObject(node, (n) => this.compile(n));
      case 'ArrayExpression':
        return this.compileArray(node, (n) => this.compile(n));
      default:
        return bailOut();
    }
  }

  private compileLogical({ operator, left: l, right: r }: LogicalExpression): Evaluator {
    const left = this.compile(l);
    const right = this.compile(r);
    switch (operator) {
      case '&&':
        return (run) => left(run) && right(run);
      case '||':
        return (run) => left(run) || right(run);
      case '??':
        return (run) => left(run) ?? right(run);
    }
  }

  private compileTemplate({ quasis, expressions }: TemplateLiteral): Evaluator {
    const texts = quasis.map(({ value: { raw, cooked } }) => (isPlainText(raw, cooked) ? cooked : bailOut()));
    const values = expressions.map((e) => this.compile(e));
    return (run) => {
      let text = texts[0]!;
      for (let i = 0; i < values.length; i++) text += String(primitive(values[i]!(run))) + texts[i + 1]!;
      run.spend(text.length);
      return text;
    };
  }

  private compileMember(node: MemberExpression): Evaluator {
    const variable = compileVariable(node, this.environment);
    if (variable) return variable;
    const { object: o, property, computed, optional } = node;
    if (o.type === 'Super' || property.type === 'PrivateIdentifier') return bailOut();
    const object = this.compile(o);
    const key = computed
      ? this.compile(property)
      : constant(property.type === 'Identifier' ? property.name : bailOut());
    return (run) => {
      const target = object(run);
      if (target === SKIPPED || (optional && (target === null || target === undefined))) return SKIPPED;
      return readMember(target, key(run), run);
    };
  }

  private compileArray({ elements }: ArrayExpression, compile: (node: Expression) => Evaluator): Evaluator {
    const items = compileList(elements, compile);
    return (run) => {
      run.spend(elements.length);
      return items(run);
    };
  }

  private compileObject({ properties }: ObjectExpression, compile: (node: Expression) => Evaluator): Evaluator {
    const members = properties.map((p) => {
      if (p.type === 'SpreadElement') return { name: undefined, value: compile(p.argument) };
      if (p.kind !== 'init' || p.method) return bailOut();
      return { name: this.compileMemberName(p), value: compile(p.value) };
    });
    return (run) => {
      const object: Record<string, unknown> = {};
      run.spend(members.length);
      for (const { name, value } of members)
        if (name === undefined) spreadInto(object, value(run), run);
        else object[typeof name === 'string' ? name : memberName(name(run), run)] = value(run);
      return object;
    };
  }

  private compileMemberName({ key, computed }: Property): string | Evaluator {
    if (computed) return this.compile(key);
    // `{ __proto__: x }` sets the prototype.
    if (key.type === 'Identifier') return String(toMemberName(key.name));
    return key.type === 'Literal' ? String(toMemberName(valueOf(key))) : bailOut();
  }
}

function memberName(key: unknown, run: Run): string | number {
  const name = toMemberName(key);
  if (typeof name === 'string') run.spend(name.length);
  return name;
}

function constant(value: unknown): Evaluator {
  return () => value;
}

/** Decimal numbers in the usual notation; others are rare, and engines differ in them. */
const decimal = /^(?:0|[1-9]\d{0,20})(?:\.\d{0,20})?(?:[eE][-+]?\d{1,3})?$/;

function valueOf({ value, raw = '' }: Literal): string | number | boolean | null {
  switch (typeof value) {
    case 'string':
      return isPlainText(raw.slice(1, -1), value) ? value : bailOut();
    case 'number':
      return decimal.test(raw) ? value : bailOut();
    case 'boolean':
      return value;
    default:
      return value === null && raw === 'null' ? null : bailOut();
  }
}

/** With the escapes that mean the same at all times and places. */
function isPlainText(raw: string, cooked: string | null | undefined): cooked is string {
  return typeof cooked === 'string' && !/\r|\\(?![nrtbfv'"`\\$]|u[\da-fA-F]{4})/.test(raw.replaceAll('\\\\', ''));
}
