/**
 * Records the statements of Presto's own test suites. A process of its own, since the suites need an engine of their own on their class path; the integration tests start it and run what it recorded.
 */
@NullMarked
package io.eyrie.suites;

import org.jspecify.annotations.NullMarked;
