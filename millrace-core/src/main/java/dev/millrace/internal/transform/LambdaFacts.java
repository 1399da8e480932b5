package dev.millrace.internal.transform;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.LineNumberInfo;
import java.lang.classfile.attribute.LocalVariableInfo;
import java.lang.classfile.attribute.MethodParameterInfo;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandleInfo;
import java.lang.invoke.SerializedLambda;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What can be determined about a serialisable lambda: its source line, what it calls, what it captures. The line and
/// the names of captured variables come from the class file, as far as it was compiled with them.
record LambdaFacts(SerializedLambda lambda, int line, List<@Nullable String> parameterNames) {
    /// The facts, or empty for an object that is not a lambda.
    static Optional<LambdaFacts> of(Object function) {
        Class<?> type = function.getClass();
        if (!type.isHidden() && !type.isSynthetic()) {
            return Optional.empty();
        }
        try {
            // Lambdas of serialisable types have this method; it returns what they call.
            Method replace = type.getDeclaredMethod("writeReplace");
            replace.setAccessible(true);
            return replace.invoke(function) instanceof SerializedLambda lambda
                    ? Optional.of(read(lambda, type.getClassLoader()))
                    : Optional.empty();
        } catch (ReflectiveOperationException | RuntimeException _) {
            // Facts serve only names and messages: without them these say less.
            return Optional.empty();
        }
    }

    /// True for `Images::resize`, false for `x -> ...`.
    boolean isMethodReference() {
        return !lambda.getImplMethodName().startsWith("lambda$");
    }

    /// The simple name of the class that the code is in.
    String className() {
        return lambda.getImplClass().replaceAll(".*[/$](?=[^/$]*[^/$0-9])", "");
    }

    /// The name of a captured value: the variable's, "this", or null if it is not known.
    @Nullable
    String capturedName(int index) {
        boolean bound = lambda.getImplMethodKind() != MethodHandleInfo.REF_invokeStatic
                && lambda.getImplMethodKind() != MethodHandleInfo.REF_newInvokeSpecial;
        if (bound && index == 0) {
            return isMethodReference() ? "the object of " + className() + "::" + lambda.getImplMethodName() : "this";
        }
        int parameter = bound ? index - 1 : index;
        return parameter < parameterNames.size() ? parameterNames.get(parameter) : null;
    }

    private static LambdaFacts read(SerializedLambda lambda, ClassLoader loader) {
        String file = lambda.getImplClass() + ".class";
        try (InputStream in =
                loader == null ? ClassLoader.getSystemResourceAsStream(file) : loader.getResourceAsStream(file)) {
            if (in != null) {
                ClassModel model = ClassFile.of().parse(in.readAllBytes());
                for (MethodModel method : model.methods()) {
                    if (method.methodName().equalsString(lambda.getImplMethodName())
                            && method.methodType().equalsString(lambda.getImplMethodSignature())) {
                        return new LambdaFacts(lambda, line(method), parameterNames(method));
                    }
                }
            }
        } catch (IOException | RuntimeException _) {
            // As above.
        }
        return new LambdaFacts(lambda, 0, List.of());
    }

    private static int line(MethodModel method) {
        return method.code()
                .flatMap(code -> code.findAttribute(Attributes.lineNumberTable()))
                .flatMap(table -> table.lineNumbers().stream().findFirst())
                .map(LineNumberInfo::lineNumber)
                .orElse(0);
    }

    private static List<@Nullable String> parameterNames(MethodModel method) {
        List<String> names = new ArrayList<>();
        var declared = method.findAttribute(Attributes.methodParameters());
        if (declared.isPresent()) {
            for (MethodParameterInfo parameter : declared.get().parameters()) {
                names.add(parameter.name().map(name -> name.stringValue()).orElse(null));
            }
            return names;
        }
        boolean isStatic = method.flags().has(java.lang.reflect.AccessFlag.STATIC);
        int slot = isStatic ? 0 : 1;
        for (ClassDesc parameter : method.methodTypeSymbol().parameterList()) {
            names.add(localName(method.code().orElse(null), slot));
            slot += parameter.equals(java.lang.constant.ConstantDescs.CD_long)
                            || parameter.equals(java.lang.constant.ConstantDescs.CD_double)
                    ? 2
                    : 1;
        }
        return names;
    }

    private static @Nullable String localName(@Nullable CodeModel code, int slot) {
        if (code == null) {
            return null;
        }
        return code.findAttribute(Attributes.localVariableTable()).stream()
                .flatMap(table -> table.localVariables().stream())
                .filter(local -> local.slot() == slot && local.startPc() == 0)
                .map(LocalVariableInfo::name)
                .map(name -> name.stringValue())
                .findFirst()
                .orElse(null);
    }
}
