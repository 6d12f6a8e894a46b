// SPDX-License-Identifier: Apache-2.0
package io.eyrie.fragment.key;

import com.facebook.presto.common.block.BlockEncodingSerde;
import com.facebook.presto.common.function.OperatorType;
import com.facebook.presto.common.type.Type;
import com.facebook.presto.common.type.TypeSignature;
import com.facebook.presto.spi.ColumnHandle;
import com.facebook.presto.spi.function.FunctionMetadata;
import com.facebook.presto.spi.function.FunctionMetadataManager;
import com.facebook.presto.spi.relation.CallExpression;
import com.facebook.presto.spi.relation.ConstantExpression;
import com.facebook.presto.spi.relation.RowExpression;
import com.facebook.presto.spi.relation.RowExpressionVisitor;
import com.facebook.presto.spi.relation.SpecialFormExpression;
import com.facebook.presto.spi.relation.SpecialFormExpression.Form;
import com.facebook.presto.spi.relation.VariableReferenceExpression;
import io.airlift.slice.DynamicSliceOutput;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import static com.facebook.presto.common.function.OperatorType.ADD;
import static com.facebook.presto.common.function.OperatorType.EQUAL;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN;
import static com.facebook.presto.common.function.OperatorType.GREATER_THAN_OR_EQUAL;
import static com.facebook.presto.common.function.OperatorType.IS_DISTINCT_FROM;
import static com.facebook.presto.common.function.OperatorType.MULTIPLY;
import static com.facebook.presto.common.function.OperatorType.NOT_EQUAL;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.AND;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.IN;
import static com.facebook.presto.spi.relation.SpecialFormExpression.Form.OR;

/**
 * Hashes expressions over the columns of one scan. Where order does not matter (the arguments of AND, OR, =, +, the list of IN), all orders hash
 * alike. A column is identified by the data that it reads, not by its name in the plan; a defined variable, by its definition.
 *
 * <p>A node's hash covers its own properties and its children's hashes. Each node of a leaf is hashed once, however often definitions are used
 * and however often its hash is asked for.
 */
final class CanonicalExpressions
        implements RowExpressionVisitor<byte[], @Nullable Void>
{
    private static final Set<OperatorType> COMMUTATIVE = Set.of(ADD, MULTIPLY, EQUAL, NOT_EQUAL, IS_DISTINCT_FROM);
    private static final Set<OperatorType> TURNED = Set.of(GREATER_THAN, GREATER_THAN_OR_EQUAL);

    private final FunctionMetadataManager functions;
    private final BlockEncodingSerde blocks;
    private final Map<VariableReferenceExpression, ColumnHandle> columns;
    private final BiConsumer<ColumnHandle, IdentityWriter> columnIdentity;
    private final Map<VariableReferenceExpression, byte[]> known = new HashMap<>();
    private final IdentityHashMap<RowExpression, byte[]> encoded = new IdentityHashMap<>();

    CanonicalExpressions(
            FunctionMetadataManager functions,
            BlockEncodingSerde blocks,
            Map<VariableReferenceExpression, ColumnHandle> columns,
            BiConsumer<ColumnHandle, IdentityWriter> columnIdentity)
    {
        this.functions = functions;
        this.blocks = blocks;
        this.columns = columns;
        this.columnIdentity = columnIdentity;
    }

    /** Defines a variable by its expression. */
    void define(VariableReferenceExpression variable, RowExpression expression)
    {
        known.put(variable, encode(expression));
    }

    /** Defines a variable by its identity. */
    void define(VariableReferenceExpression variable, byte[] identity)
    {
        known.put(variable, identity);
    }

    /** Returns the hash of an expression, whose variables are defined. */
    byte[] encode(RowExpression expression)
    {
        byte[] hash = encoded.get(expression);
        if (hash == null) {
            hash = expression.accept(this, null);
            encoded.put(expression, hash);
        }
        return hash;
    }

    List<byte[]> encode(List<RowExpression> expressions)
    {
        return expressions.stream().map(this::encode).toList();
    }

    @Override
    public byte[] visitExpression(RowExpression expression, @Nullable Void context)
    {
        throw new IllegalArgumentException("Not an expression of a leaf: " + expression.getClass().getName());
    }

    @Override
    public byte[] visitCall(CallExpression call, @Nullable Void context)
    {
        FunctionMetadata function = functions.getFunctionMetadata(call.getFunctionHandle());
        List<byte[]> arguments = encode(call.getArguments());
        List<TypeSignature> types = function.getArgumentTypes();
        Optional<OperatorType> operator = function.getOperatorType();
        String name = operator.map(Enum::name).orElse("");
        boolean binary = arguments.size() == 2 && types.size() == 2;
        boolean alike = binary && types.get(0).equals(types.get(1));
        if (binary && operator.filter(TURNED::contains).isPresent()) {
            name = OperatorType.flip(operator.get()).name();
            arguments = reversed(arguments);
            types = reversed(types);
        }
        IdentityWriter writer = new IdentityWriter()
                .text("call")
                .text(operator.isPresent() ? "operator" : function.getName().toString())
                .text(name)
                .text(function.getFunctionKind().name())
                .text(function.getImplementationType().name())
                .text(function.getVersion().toString())
                .texts(types.stream().map(TypeSignature::toString).toList())
                .text(signature(call.getType()));
        // arguments of different types are not interchangeable
        boolean commutes = alike && operator.filter(COMMUTATIVE::contains).isPresent();
        return (commutes ? writer.sequence(sorted(arguments)) : writer.sequence(arguments)).toHash();
    }

    @Override
    public byte[] visitSpecialForm(SpecialFormExpression form, @Nullable Void context)
    {
        IdentityWriter writer = new IdentityWriter().text("form").text(form.getForm().name()).text(signature(form.getType()));
        List<RowExpression> arguments = form.getArguments();
        if (form.getForm() == AND || form.getForm() == OR) {
            return writer.set(flattened(form.getForm(), form).map(this::encode).toList()).toHash();
        }
        if (form.getForm() == IN) {
            return writer.bytes(encode(arguments.get(0))).set(encode(arguments.subList(1, arguments.size()))).toHash();
        }
        return writer.sequence(encode(arguments)).toHash();
    }

    @Override
    public byte[] visitConstant(ConstantExpression constant, @Nullable Void context)
    {
        DynamicSliceOutput value = new DynamicSliceOutput(64);
        blocks.writeBlock(value, constant.getValueBlock());
        return new IdentityWriter().text("constant").text(signature(constant.getType())).bytes(value.slice().getBytes()).toHash();
    }

    @Override
    public byte[] visitVariableReference(VariableReferenceExpression variable, @Nullable Void context)
    {
        return known.computeIfAbsent(variable, read -> {
            ColumnHandle column = columns.get(read);
            if (column == null) {
                throw new IllegalArgumentException(read + " is not a variable of the scan");
            }
            IdentityWriter writer = new IdentityWriter().text("column").text(signature(read.getType()));
            columnIdentity.accept(column, writer);
            return writer.toHash();
        });
    }

    private static Stream<RowExpression> flattened(Form form, RowExpression expression)
    {
        return expression instanceof SpecialFormExpression same && same.getForm() == form
                ? same.getArguments().stream().flatMap(argument -> flattened(form, argument))
                : Stream.of(expression);
    }

    private static String signature(Type type)
    {
        return type.getTypeSignature().toString();
    }

    private static <T> List<T> reversed(List<T> list)
    {
        List<T> copy = new ArrayList<>(list);
        Collections.reverse(copy);
        return copy;
    }

    private static List<byte[]> sorted(List<byte[]> values)
    {
        return values.stream().sorted(Arrays::compareUnsigned).toList();
    }
}
