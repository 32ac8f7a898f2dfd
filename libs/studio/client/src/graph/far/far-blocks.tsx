import { type Node, ViewportPortal } from '@xyflow/react';
import { type CSSProperties, memo, type MouseEvent, type PointerEvent } from 'react';

/** Marks for the style sheet, such as `data-selected`. */
export type BlockMarks = Readonly<Record<`data-${string}`, string | true | undefined>>;

interface FarBlocksProps<N extends Node> {
  readonly nodes: readonly N[];
  readonly className: string;
  readonly marksOf: (node: N) => BlockMarks;
  readonly styleOf?: ((node: N) => CSSProperties | undefined) | undefined;
  /** For screen readers, beside the label of the node. */
  readonly descriptionOf?: ((node: N) => string | undefined) | undefined;
  readonly onClick: (id: string, event: MouseEvent) => void;
  /** The pointer has come to it. */
  readonly onHover?: ((id: string, event: PointerEvent) => void) | undefined;
}

/**
 * Nodes as blocks without words, one element each: a thousand of React Flow's own, which measure, drag and look after themselves, take a
 * second to appear. They have its class, by which its style sheet and what looks for a node find them.
 */
export function FarBlocks<N extends Node>({
  nodes,
  className,
  marksOf,
  styleOf,
  descriptionOf,
  onClick,
  onHover,
}: FarBlocksProps<N>) {
  return (
    <ViewportPortal>
      <div
        onClick={(event) => onClick(idOf(event), event)}
        onPointerOver={onHover && ((event) => onHover(idOf(event), event))}
      >
        {nodes.map((node) => (
          <Block
            key={node.id}
            node={node}
            className={className}
            marksOf={marksOf}
            styleOf={styleOf}
            description={descriptionOf?.(node)}
          />
        ))}
      </div>
    </ViewportPortal>
  );
}

/** The element that holds them is as small as nothing: an event is of one of them. */
const idOf = ({ target }: MouseEvent): string => (target as HTMLElement).dataset.id!;

interface BlockProps<N extends Node> extends Pick<FarBlocksProps<N>, 'className' | 'marksOf' | 'styleOf'> {
  readonly node: N;
  readonly description: string | undefined;
}

function OneBlock<N extends Node>({ node, className, marksOf, styleOf, description }: BlockProps<N>) {
  const { id, position, width, height = node.measured?.height, ariaLabel } = node;
  return (
    <div
      className={`react-flow__node ${className}`}
      data-id={id}
      role="group"
      aria-roledescription="node"
      aria-label={ariaLabel}
      aria-description={description}
      style={{ transform: `translate(${position.x}px, ${position.y}px)`, width, height, ...styleOf?.(node) }}
      {...marksOf(node)}
    />
  );
}

const Block = memo(OneBlock) as typeof OneBlock;
