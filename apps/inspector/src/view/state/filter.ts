import { FILTERS, type Filter } from "../route/route.js";
import type { Inspector } from "./inspector.js";

export function toggleFilter(inspector: Inspector, filter: Filter): void {
  const { only } = inspector.route.value;
  const isOn = only.includes(filter);
  const next = FILTERS.filter((each) => (each === filter ? !isOn : only.includes(each)));
  inspector.go({ only: next });
}
