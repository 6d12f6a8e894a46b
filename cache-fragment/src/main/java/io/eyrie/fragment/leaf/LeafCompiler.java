// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.leaf;

import com.facebook.presto.common.type.Type;
import com.facebook.presto.spi.ConnectorSession;
import com.facebook.presto.spi.function.FunctionHandle;

import java.util.function.Supplier;

/**
 * Compiles leaf fragments with the engine's own functions. The implementation is in the module {@code engine}, which a child of the engine's class
 * loader loads; that loader takes the classes of this package from the plugin's. Implementations are thread-safe.
 */
public interface LeafCompiler
{
    /** Returns a supplier of runs, each over one split. */
    Supplier<LeafRun> compile(Leaf leaf, ConnectorSession session);

    /** Whether an aggregate can be split into partial aggregates whose intermediate type is this one. */
    boolean hasIntermediate(FunctionHandle aggregate, Type intermediate);

    /** Whether the engine itself, and not a plugin, implements a function. */
    boolean isOwn(FunctionHandle function);
}
