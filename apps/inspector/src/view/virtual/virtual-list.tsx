import type { ComponentChildren, HTMLAttributes } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { revealOffset, rowHeights, rowWindow, type Viewport } from "./row-window.js";

interface VirtualListProps extends Omit<HTMLAttributes<HTMLDivElement>, "children"> {
  readonly count: number;
  /** The height of a row in pixels. Pass the same function until the rows change. */
  readonly rowHeight: number | ((index: number) => number);
  readonly row: (index: number) => ComponentChildren;
  /** The row to keep in view when it changes. @default none */
  readonly reveal?: number | undefined;
  /** Stay at the last row when rows are added. @default false */
  readonly sticksToEnd?: boolean | undefined;
}

/** A list that has elements only for the rows in view. */
export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, row, reveal, sticksToEnd, ...rest } = props;
  const element = useRef<HTMLDivElement>(null);
  // Before the element is measured, draw what fits a small window.
  const [viewport, setViewport] = useState<Viewport>({ offset: 0, height: 600 });
  const heights = useMemo(() => rowHeights(count, rowHeight), [count, rowHeight]);
  useLayoutEffect(() => {
    const list = element.current;
    if (list === null) return;
    const measure = () => setViewport({ offset: list.scrollTop, height: list.clientHeight });
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    list.addEventListener("scroll", measure, { passive: true });
    measure();
    return () => {
      observer.disconnect();
      list.removeEventListener("scroll", measure);
    };
  }, []);
  useLayoutEffect(() => {
    const list = element.current;
    if (list === null || reveal === undefined || reveal < 0) return;
    const now = { offset: list.scrollTop, height: list.clientHeight };
    list.scrollTop = revealOffset(heights, reveal, now);
  }, [reveal]);
  useLayoutEffect(() => {
    if (sticksToEnd && element.current) element.current.scrollTop = heights.total;
  }, [sticksToEnd, heights]);

  const { from, to } = rowWindow(count, heights, viewport);
  const rows = [];
  for (let index = from; index < to; index++) rows.push(row(index));
  return (
    <div {...rest} ref={element}>
      <div role="none" class="virtual" style={{ height: `${heights.total}px` }}>
        <div role="none" style={{ transform: `translateY(${heights.top(from)}px)` }}>
          {rows}
        </div>
      </div>
    </div>
  );
}
